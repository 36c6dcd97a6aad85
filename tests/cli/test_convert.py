"""The paper's claim from the command line: a bilinear model is a TuckER."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.cli.running import refused, tucker
from tests.cli.shapes import check, check_report

MODELS = ["rescal", "distmult", "complex", "simple", "cp", "analogy"]
QUICK = ["--set=training.epochs=3", "--set=training.validate_every=1", "--set=model.d_e=8"]
REPORT = {
    "run": str,
    "from": str,
    "to": str,
    "d_e": int,
    "d_r": int,
    "parameters": int,
    "largest_difference": float,
}


@pytest.fixture
def old(facts, tmp_path, request):
    result = tucker("train", "--graph", facts, "--model", request.param, "--out", "old", *QUICK)
    assert result.code == 0, result.err
    return tmp_path / "old"


@pytest.mark.parametrize("old", ["distmult"], indirect=True)
def test_without_a_folder_one_is_chosen(old, tmp_path):
    assert tucker("convert", old, "--json").json()["run"] == "runs/old-tucker"
    assert (tmp_path / "runs/old-tucker/manifest.json").is_file()


@pytest.mark.parametrize("old", MODELS, indirect=True)
def test_a_converted_run_answers_the_same(old, request):
    report = tucker("convert", old, "--to", "tucker", "--out", "new", "--json").json()
    check(report, REPORT)
    assert report["from"] == request.node.callspec.params["old"]
    assert report["largest_difference"] <= 1e-4
    for split in ("valid", "test"):
        before, after = (
            tucker("evaluate", run, "--split", split, "--json").json() for run in (old, "new")
        )
        assert before == after
    question = ["--subject", "p0", "--relation", "likes", "-k", "5", "--json"]
    before, after = (tucker("predict", run, *question).json() for run in (old, "new"))
    assert [one["object"] for one in before] == [one["object"] for one in after]


@pytest.mark.parametrize("old", ["complex"], indirect=True)
def test_a_converted_run_is_trained_on(old, tmp_path):
    result = tucker("convert", old, "--to", "tucker", "--out", "new")
    assert result.code == 0
    assert "complex as a TuckER of equal scores" in result.out
    assert "train on with: tucker train --from new --out NEW" in result.err
    words = ["--from", "new", "--out", "newer", "--json"]
    report = tucker("train", *words, "--set=training.epochs=2", "--set=model.dropout_query=0.2")
    check_report(report.json(), test=False)
    config = yaml.safe_load((tmp_path / "newer" / "config.yaml").read_text())
    assert (config["model"]["name"], config["start"]) == ("tucker", "new")
    assert config["model"]["dropout_query"] == 0.2
    assert config["about"]["converted_from"]["name"] == "complex"
    journals = [(tmp_path / run / "journal.jsonl").read_text() for run in ("old", "newer")]
    first, last = (json.loads(journals[0].splitlines()[0]), json.loads(journals[1].splitlines()[0]))
    assert last["loss"] < first["loss"]


def test_what_cannot_be_converted(run):
    message = refused(tucker("convert", run, "--to", "tucker", "--out", "new"))
    assert message.endswith("cannot become a TuckER: TuckER is one already")
    assert tucker("convert", run, "--to", "complex", "--out", "new").code == 2


def test_from_takes_graph_and_model_from_the_run(run, facts):
    message = refused(tucker("train", "--from", run, "--graph", facts, "--out", "new"))
    assert "--from takes graph and model from the run" in message
    message = refused(tucker("train", "--from", run, "--out", "new", "--set=model.d_e=4"))
    assert "belong to another model or other sizes" in message
    message = refused(tucker("train", "--from", run, "--resume", "--out", "new"))
    assert "--resume takes its settings from the run" in message
