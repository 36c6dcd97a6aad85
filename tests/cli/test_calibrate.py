from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.cli.running import refused, tucker
from tests.cli.shapes import check
from tucker import train
from tucker.graph import load_graph

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


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_a_run_is_calibrated_and_says_so(own, method, tmp_path):
    question = ["predict", own, "--subject", "p5", "--relation", "likes", "--json"]
    before = tucker(*question)
    assert before.err == (
        "probabilities are the model's own and not calibrated; calibrate them with: "
        f"tucker calibrate {own}\n"
    )
    words = ["calibrate", own, "--method", method, "--plot", tmp_path / "plot.svg"]
    result = tucker(*words, "--json")
    found = result.json()
    about = {"run": str, "method": str, "curves": int, "facts_fitted": bool}
    check(found, about | dict.fromkeys(MEASURED, dict))
    for one in MEASURED:
        check(found[one], RELIABILITY)
    kept = json.loads((own / "calibration.json").read_text())["reliability"]
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
    assert "came true" in tucker("calibrate", own, "--method", method).out


def test_a_plot_that_cannot_be_drawn_is_refused_first(own):
    assert "a plot must be one of" in refused(tucker("calibrate", own, "--plot", "plot.docx"))
    assert not (own / "calibration.json").exists()


def test_without_test_facts_there_is_nothing_to_plot(learned, tmp_path):
    graph = load_graph(learned.parent / "facts.tsv")
    settings = {"d_e": 8, "d_r": 4, "epochs": 60, "validate_every": 20}
    train(replace(graph, test=graph.test[:0]), out=tmp_path / "run", progress=False, **settings)
    result = tucker("calibrate", "run", "--plot", "plot.svg", "--json")
    assert result.json()["test"] is None
    assert "plot.svg was not written: the graph has no test facts" in result.err
    assert not (tmp_path / "plot.svg").exists()
