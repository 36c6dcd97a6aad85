from __future__ import annotations

import json
import sys
from collections import Counter

import pytest

from tests.cli.running import tucker
from tests.cli.shapes import check_evaluation, check_prediction
from tucker.cli.demo import demo_tables
from tucker.errors import TuckerError
from tucker.graph import load_graph, name_table
from tucker.pipeline import demo
from tucker.pipeline.recipe import make_recipe, with_changes

# Six seeds of this many epochs let the calibration find enough facts; two epochs did not always.
TINY = ["training.epochs=12", "training.validate_every=6", "model.d_e=10", "model.d_r=5"]


@pytest.fixture
def _tiny(monkeypatch):
    """The demo as it is, but for a model and a training of a second."""
    tiny = lambda settings: make_recipe(with_changes(settings, TINY))  # noqa: E731
    monkeypatch.setattr(demo, "make_recipe", tiny)


@pytest.fixture
def world():
    return load_graph("world")


def rows(graph, *splits):
    return {row for split in splits for row in name_table(graph, graph.split(split)).rows()}


def test_the_relations_it_asks_about_are_those_of_the_world(world):
    names = world.relations.names.to_list()
    assert set(demo._ASKED) <= set(names)


@pytest.mark.usefixtures("_tiny")
def test_findings_are_new_to_training_and_known_by_their_split(world, tmp_path):
    folder = demo.RunFolder(tmp_path / "run")
    result = demo.run_demo(folder, each=40)
    facts = [(f.fact.subject, f.fact.relation, f.fact.object) for f in result.findings]
    assert len(facts) == len(set(facts))
    assert not set(facts) & rows(world, "train")
    held_out = rows(world, "valid", "test")
    assert [finding.held_out for finding in result.findings] == [fact in held_out for fact in facts]
    assert {True, False} == {finding.held_out for finding in result.findings}
    assert Counter(fact[1] for fact in facts) == dict.fromkeys(demo._ASKED, 40)
    assert result.test.split == "test"
    assert result.test.triples == len(world.test)
    run = result.calibrated.run if result.calibrated else result.trained.run
    for finding in demo._findings(run, 1):
        assert finding.fact.rank == 1
        assert finding in result.findings
    text = (folder.path / "report.md").read_text(encoding="utf-8")
    assert "# tucker on world" in text
    assert f"| {facts[0][0]} | {facts[0][1]} | {facts[0][2]} |" in text


@pytest.mark.usefixtures("_tiny")
def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = tucker("demo", "--json").json()
    assert report["calibration"]["test"]["ece"] <= report["calibration"]["uncalibrated"]["ece"]
    assert report["calibration"]["facts_fitted"]
    assert report["calibration"]["facts"]["ece"] < 0.05
    assert report["run"] == "runs/demo"
    check_evaluation(report["valid"])
    check_evaluation({key: report["test"][key] for key in report["test"] if key != "by"})
    for finding in report["findings"]:
        assert type(finding.pop("held_out")) is bool
        check_prediction(finding)
    assert (tmp_path / "runs" / "demo" / "report.md").is_file()

    result = tucker("demo", "--out", "mine")
    assert result.code == 0
    assert "Facts of the world" in result.out
    assert "Hits@10" in result.out
    assert "mine/report.md" in result.err
    question = ["--subject", "Norway", "--relation", "borders", "--json"]
    assert f"tucker predict mine {' '.join(question[:-1])}" in result.err
    assert len(tucker("predict", "mine", *question).json()) == 10
    assert json.loads((tmp_path / "mine" / "metrics.json").read_text()).keys() == {"valid"}


@pytest.mark.usefixtures("_tiny")
def test_without_scikit_learn_probabilities_are_the_models_own(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    result = demo.run_demo(demo.RunFolder(tmp_path / "run"))
    assert result.calibrated is None
    assert result.as_dict()["calibration"] is None
    assert not (tmp_path / "run" / "calibration.json").exists()
    assert demo_tables(result)[0].columns[3].header.plain == "probability (not calibrated)"


def test_other_faults_of_calibration_are_told(tmp_path, monkeypatch):
    def broken(run):
        raise TuckerError("better scores do not mean more true answers")

    monkeypatch.setattr(demo, "calibrated", broken)
    with pytest.raises(TuckerError, match="do not mean more true answers"):
        demo._calibrated(None, demo.RunFolder(tmp_path / "run"))
