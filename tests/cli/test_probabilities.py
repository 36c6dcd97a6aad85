"""calibrate, classify, score and discover from the outside."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.running import QUICK, refused, tucker
from tests.cli.shapes import PREDICTION, check, check_prediction
from tucker import train
from tucker.graph import load_graph
from tucker.runs import RunFolder, load_run
from tucker.runs.chance_curves import Isotonic

RELIABILITY = {
    "split": str,
    "k": int,
    "questions": int,
    "predictions": int,
    "true": float,
    "ece": float,
    "brier": float,
    "ece_of_first": float,
    "bins": list,
}
MEASURED = ("test", "uncalibrated", "facts")


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A run that has learned that people of a group like each other."""
    folder = tmp_path_factory.mktemp("learned")
    pairs = [(a, b) for a in range(20) for b in range(20) if a != b and a % 3 == b % 3]
    (folder / "facts.tsv").write_text("".join(f"p{a}\tlikes\tp{b}\n" for a, b in pairs))
    words = [*QUICK, "--set=training.epochs=60", "--set=training.validate_every=20"]
    graph, run = folder / "facts.tsv", folder / "run"
    assert tucker("train", "--graph", graph, "--out", run, *words).code == 0
    return run


@pytest.fixture
def copy(learned, tmp_path):
    return Path(shutil.copytree(learned, tmp_path / "copy"))


def labelled(fact):
    return {part for part in ("subject", "relation", "object") if part in fact.get("labels", {})}


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_a_run_is_calibrated_and_says_so(copy, method, tmp_path):
    question = ["predict", copy, "--subject", "p5", "--relation", "likes", "--json"]
    before = tucker(*question)
    assert before.err == (
        "probabilities are the model's own and not calibrated; calibrate them with: "
        f"tucker calibrate {copy}\n"
    )
    words = ["calibrate", copy, "--method", method, "--plot", tmp_path / "plot.svg"]
    result = tucker(*words, "--json")
    found = result.json()
    about = {"run": str, "method": str, "curves": int, "facts_fitted": bool}
    check(found, about | dict.fromkeys(MEASURED, dict))
    for one in MEASURED:
        check(found[one], RELIABILITY)
    kept = json.loads((copy / "calibration.json").read_text())["reliability"]
    assert kept == {one: found[one] for one in MEASURED}
    assert found["method"] == method
    assert "calibrated probabilities" in result.err
    assert (tmp_path / "plot.svg").read_text().startswith("<?xml")
    after = tucker(*question)
    assert after.err.startswith(f"probabilities are calibrated ({method})")
    assert "if the question has a missing answer" in after.err
    names = [[one["object"] for one in answers.json()] for answers in (before, after)]
    assert names[0] == names[1]
    assert before.json() != after.json()
    assert "came true" in tucker("calibrate", copy, "--method", method).out


def test_folding_in_leaves_the_calibration_out_and_says_so(copy, tmp_path):
    facts = tmp_path / "facts.tsv"
    facts.write_text("new\tlikes\tp3\n")
    assert "calibration" not in tucker("fold-in", copy, facts, "--out", tmp_path / "one").err
    assert tucker("calibrate", copy).code == 0
    said = tucker("fold-in", copy, facts, "--out", tmp_path / "two").err
    assert "the new run is not calibrated" in said
    assert f"tucker calibrate {tmp_path / 'two'}" in said
    for words in (["discover", tmp_path / "two"], ["score", tmp_path / "two", facts]):
        assert tucker(*words, "--json").err == (
            "probabilities are the model's own and not calibrated; calibrate them with: "
            f"tucker calibrate {tmp_path / 'two'}\n"
        )


def test_facts_by_themselves_have_one_probability(copy, tmp_path):
    assert "too few validation facts" in tucker("calibrate", copy).err
    result = tucker("discover", copy, "-k", "9", "--json")
    assert "by themselves are not calibrated, and rather too low" in result.err
    file, found = tmp_path / "facts.tsv", result.json()
    file.write_text("".join(f"{one['subject']}\tlikes\t{one['object']}\n" for one in found))
    scored = tucker("score", copy, file, "--json")
    assert scored.err == result.err
    for one, other in zip(found, scored.json(), strict=True):
        assert one["probability"] == pytest.approx(other["probability"], abs=1e-5)
        assert one["rank"] == other["rank"]


def test_a_fitted_probability_of_facts_says_what_it_supposes(copy, tmp_path):
    assert tucker("calibrate", copy).code == 0
    run, fitted = load_run(copy), Isotonic((0.0, 1.0), (0.0, 0.9))
    calibration = replace(run.calibration, facts=fitted).as_dict(run.graph)
    RunFolder(copy).write_calibration(calibration)
    (tmp_path / "facts.tsv").write_text("p1\tlikes\tp3\n")
    for words in (["discover", copy], ["score", copy, tmp_path / "facts.tsv"]):
        said = tucker(*words).err
        assert "how often such a fact is right" in said
        assert "lacks about as many facts as were held out for validation" in said


def test_a_plot_that_cannot_be_drawn_is_refused_first(copy):
    assert "a plot must be one of" in refused(tucker("calibrate", copy, "--plot", "plot.docx"))
    assert not (copy / "calibration.json").exists()


def test_without_test_facts_there_is_nothing_to_plot(learned, tmp_path):
    graph = load_graph(learned.parent / "facts.tsv")
    settings = {"d_e": 8, "d_r": 4, "epochs": 60, "validate_every": 20}
    train(replace(graph, test=graph.test[:0]), out=tmp_path / "run", progress=False, **settings)
    result = tucker("calibrate", "run", "--plot", "plot.svg", "--json")
    assert result.json()["test"] is None
    assert "plot.svg was not written: the graph has no test facts" in result.err
    assert not (tmp_path / "plot.svg").exists()


def test_classification(run):
    found = tucker("classify", run, "--json").json()
    assert found["split"] == "test"
    assert 0 <= found["accuracy"] <= 1
    assert found == tucker("classify", run, "--json", "--seed", "0").json()
    assert "ROC AUC" in tucker("classify", run).out


def test_discovery(run, facts):
    known = {tuple(line.split("\t")) for line in facts.read_text(encoding="utf-8").splitlines()}
    result = tucker("discover", run, "-k", "12", "--json")
    found = result.json()
    assert len(found) == 12
    for fact in found:
        check_prediction(fact, labelled=labelled(fact))
        assert (fact["subject"], fact["relation"], fact["object"]) not in known
    one = tucker("discover", run, "--relation", "likes", "--subject", "p5", "--json").json()
    assert {(fact["subject"], fact["relation"]) for fact in one} == {("p5", "likes")}
    least = found[5]["probability"]
    some = tucker("discover", run, "--min-probability", least, "--json").json()
    assert [fact["probability"] >= least for fact in some] == [True] * len(some)
    assert "the most probable first" in tucker("discover", run, "-k", "2").out
    assert "did you mean 'likes'" in refused(tucker("discover", run, "--relation", "like"))


def test_a_file_of_facts(run, tmp_path):
    file = tmp_path / "some.tsv"
    file.write_text("p5\tlikes\tp6\nPerson zero\tknows\tp1\n", encoding="utf-8")
    found = tucker("score", run, file, "--json").json()
    for fact in found:
        shape = PREDICTION | {"known": bool} | ({"labels": dict} if "labels" in fact else {})
        check(fact, shape)
    assert [fact["known"] for fact in found] == [False, True]
    assert "does not have it" in tucker("score", run, file).out
    file.write_text("p5\tlikes\tp6\np5\tlikes\tp66\n", encoding="utf-8")
    message = refused(tucker("score", run, file))
    assert message.startswith(f"{file}:2: object: the graph has no entity 'p66'; did you mean")
