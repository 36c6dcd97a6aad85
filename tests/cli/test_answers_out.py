"""Reasons, neighbours, exports and new entities from the command line."""

from __future__ import annotations

import json
import math

import pytest

from tests.cli.running import refused, tucker
from tucker.graph import read_facts

FACT = ["--subject", "p5", "--relation", "knows", "--object", "p9"]

FOUND = {"subject": "p5", "relation": "knows", "object": "p9", "probability": 0.5}


def test_explain(run):
    said = tucker("explain", run, *FACT, "--json").json()
    assert [said[part] for part in ("subject", "relation", "object")] == ["p5", "knows", "p9"]
    assert set(said) >= {"score", "known", "facts", "paths", "notes"}
    assert len(said["facts"]) == 5
    for path in said["paths"]:
        assert path["entities"][0] == "p5"
        assert path["entities"][-1] == "p9"
        assert path["confidence"] == pytest.approx(path["support"] / path["joined"])
    table = tucker("explain", run, *FACT, "-k", "2")
    assert table.code == 0
    assert "p5 · is acquainted with · p9: known facts most like it" in table.out


def test_explain_says_labels_and_gives_names(run):
    fact = ["--subject", "p0", "--relation", "knows", "--object", "p3"]
    said = tucker("explain", run, *fact, "--json").json()
    assert (said["subject"], said["relation"]) == ("p0", "knows")
    assert said["labels"]["p0"] == "Person zero"
    assert said["labels"]["knows"] == "is acquainted with"
    named = {said["object"], *(name for path in said["paths"] for name in path["entities"])}
    named |= {one[part] for one in said["facts"] for part in ("subject", "object")}
    named |= {step["relation"] for path in said["paths"] for step in path["steps"]}
    assert set(said["labels"]) - {"p0", "knows"} <= named
    table = tucker("explain", run, *fact).out
    assert "Person zero · is acquainted with · p3: paths that go with is acquainted with" in table
    assert "knows→" not in table
    by_label = ["--subject", "Person zero", "--relation", "is acquainted with", "--object", "p3"]
    assert tucker("explain", run, *by_label, "--json").json() == said


def test_predictions_with_reasons(run):
    words = ["predict", run, "--subject", "p5", "--relation", "knows", "-k", "2"]
    answers = tucker(*words, "--explain", "--json").json()
    for answer in answers:
        fact = [f"--{part}={answer[part]}" for part in ("subject", "relation", "object")]
        reasons = tucker("explain", run, *fact, "--json").json()
        assert answer.pop("reasons") == {
            part: reasons[part] for part in ("facts", "paths", "notes", "labels")
        }
    assert answers == tucker(*words, "--json").json()
    assert tucker(*words, "--explain").out.count("known facts most like it") == 2


def test_neighbours(run):
    found = tucker("neighbours", run, "Person zero", "-k", "3", "--json").json()
    assert [one["rank"] for one in found] == [1, 2, 3]
    assert "p0" not in [one["name"] for one in found]
    assert "nearest to p0" in tucker("neighbours", run, "p0").out
    assert "index was removed" in refused(tucker("neighbours", run, "p0", "--index"))
    assert "no entity 'zz'" in refused(tucker("neighbours", run, "zz"))


@pytest.mark.parametrize("format", ["parquet", "npz", "word2vec"])
def test_embeddings(run, tmp_path, format):
    said = tucker("export", run, "--format", format, "--out", tmp_path / "x.txt", "--json").json()
    assert said["rows"] == 20 + 2 * 3
    assert len(said["files"]) == (2 if format == "word2vec" else 1)
    words = ["export", run, "--format", format, "--out", tmp_path / "x.txt"]
    assert "exists already" in refused(tucker(*words))


def test_the_second_file_of_word2vec_is_not_written_over(run, tmp_path):
    (tmp_path / "x.relations.txt").write_text("mine")
    words = ["export", run, "--format", "word2vec", "--out", tmp_path / "x.txt"]
    assert "x.relations.txt: exists already" in refused(tucker(*words))
    assert (tmp_path / "x.relations.txt").read_text() == "mine"
    assert not (tmp_path / "x.txt").exists()


def test_facts_go_out_and_in_again(run, tmp_path):
    answers = tucker("predict", run, "--subject", "p5", "--relation", "knows", "--json")
    (tmp_path / "answers.json").write_text(answers.out, encoding="utf-8")
    facts = tmp_path / "facts.tsv"
    words = ["--facts", tmp_path / "answers.json", "--format", "tsv", "--out", facts]
    assert tucker("export", run, *words).code == 0
    assert len(read_facts(facts).table) == 10
    said = tucker("fold-in", run, facts, "--out", tmp_path / "more", "--json").json()
    assert said == {"run": str(tmp_path / "more"), "facts": 10, "entities": 0}
    assert "exists already" in refused(tucker("fold-in", run, facts, "--out", tmp_path / "more"))


def test_training_goes_on_with_new_facts_and_names(run, tmp_path):
    facts = tmp_path / "facts.tsv"
    facts.write_text("stranger\tknows\tp1\np2\tlikes\tstranger\n")
    words = ["--set=training.epochs=1", "--out", tmp_path / "on", "--json"]
    assert tucker("train", "--from", run, "--add", facts, *words).code == 0
    answers = tucker("predict", tmp_path / "on", "--subject", "stranger", "--relation", "knows")
    assert answers.code == 0
    assert "give the run with --from" in refused(tucker("train", "--add", facts))


@pytest.mark.parametrize(
    ("text", "format", "message"),
    [
        ("[]", "npz", "--format npz is not for facts: choose tsv or parquet or nt"),
        ("{}", "tsv", "holds no list of facts"),
        ("no", "tsv", "is not JSON"),
        ('[{"subject": "p1"}]', "tsv", "fact 1 is incomplete"),
        ("[" * 200_000, "tsv", "is nested too deeply"),
        (json.dumps([FOUND, FOUND | {"object": "\ud800"}]), "nt", "fact 2 has the name '\\ud800'"),
        (json.dumps([FOUND, FOUND | {"probability": math.nan}]), "tsv", "fact 2 has the prob"),
        (json.dumps([FOUND | {"probability": math.inf}]), "tsv", "fact 1 has the probability inf"),
        (json.dumps([FOUND | {"probability": 1.5}]), "parquet", "fact 1 has the probability 1.5"),
        (
            json.dumps([{"subject": "p1", "relation": "knows", "object": "zzz"}]),
            "nt",
            "no entity 'zzz'",
        ),
    ],
)
def test_what_cannot_be_exported_is_refused(run, tmp_path, text, format, message):
    (tmp_path / "facts.json").write_text(text)
    words = ["--facts", tmp_path / "facts.json", "--format", format, "--out", tmp_path / "out"]
    assert message in refused(tucker("export", run, *words))
    assert not (tmp_path / "out").exists()


def test_embeddings_are_no_facts(run, tmp_path):
    words = ["export", run, "--format", "nt", "--out", tmp_path / "x.nt"]
    assert "--format nt is not for embeddings" in refused(tucker(*words))
