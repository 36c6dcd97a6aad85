from __future__ import annotations

import json
import math

import pytest

from tests.cli.running import refused, tucker
from tucker.graph import read_facts

FOUND = {"subject": "p5", "relation": "knows", "object": "p9", "probability": 0.5}


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
