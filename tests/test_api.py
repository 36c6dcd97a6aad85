from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest
import torch

import tucker
from tests.conftest import make_graph

TINY = {"d_e": 8, "d_r": 4, "epochs": 3, "validate_every": 1, "progress": False}


@pytest.fixture(scope="module")
def run() -> tucker.Run:
    return tucker.train(make_graph(n_e=14, facts=160), **TINY)


@pytest.mark.parametrize("owner", [tucker.Run, tucker.Graph])
def test_every_public_member_is_explained(owner):
    for name, member in vars(owner).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            assert inspect.getdoc(member), f"{owner.__name__}.{name}"


def test_a_run_in_memory(run):
    assert run.path is None
    assert run.graph.name == "drawn"
    assert (run.config["model"]["d_e"], run.config["training"]["epochs"]) == (8, 3)
    assert len(run.journal) == 3
    assert isinstance(run.model, torch.nn.Module)
    assert run.metrics["valid"]["mrr"] == run.evaluate("valid").mrr


def test_evaluate(run):
    test = run.evaluate()
    assert test.split == "test"
    assert 0 < test.mrr <= 1
    assert test.as_dict() == run.evaluate("test", ties="realistic").as_dict()
    assert set(run.evaluate(by="side").by) == {"subject", "object"}
    best, worst = run.evaluate(ties="optimistic").mrr, run.evaluate(ties="pessimistic").mrr
    assert best >= test.mrr >= worst


def test_predict(run):
    answers = run.predict(subject="e1", relation="r0", k=3)
    assert [answer.rank for answer in answers] == [1, 2, 3]
    assert all(answer.subject == "e1" and answer.relation == "r0" for answer in answers)
    assert len(run.predict(relation="r0", object="e1")) <= 10
    assert {answer.object for answer in run.predict(subject="e1", object="e2")} == {"e2"}
    with pytest.raises(tucker.TuckerError, match="did you mean 'e1"):
        run.predict(subject="e111", relation="r0")


def test_saved_and_loaded(run, tmp_path):
    path = tmp_path / "new" / "run"
    run.save(path)
    loaded = tucker.load(str(path))
    assert loaded.path == path
    assert loaded.config == run.config
    assert loaded.journal == run.journal
    assert loaded.metrics == run.metrics
    assert loaded.evaluate().as_dict() == run.evaluate().as_dict()
    assert loaded.predict(subject="e1", relation="r0") == run.predict(subject="e1", relation="r0")
    with pytest.raises(tucker.TuckerError, match="exists already"):
        run.save(path)
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again" / "model.safetensors").read_bytes() == (
        path / "model.safetensors"
    ).read_bytes()


def test_trained_into_a_folder(run, tmp_path):
    on_disk = tucker.train(make_graph(n_e=14, facts=160), out=tmp_path / "run", **TINY)
    assert on_disk.path == tmp_path / "run"
    loaded = tucker.load(tmp_path / "run")
    for name, value in run.model.state_dict().items():
        assert loaded.model.state_dict()[name].equal(value)


def test_calibrated_discovered_scored_and_classified(tmp_path):
    pairs = [(a, 0, b) for a in range(14) for b in range(14) if a != b and a % 2 == b % 2]
    facts = np.random.default_rng(0).permutation(np.array(pairs))
    graph = dataclasses.replace(
        make_graph(n_e=14, n_r=1), train=facts[20:], valid=facts[:10], test=facts[10:20]
    )
    run = tucker.train(graph, **(TINY | {"epochs": 60, "validate_every": 20}))
    assert run.calibration is None
    result = run.calibrate("platt")
    assert run.calibration == "platt"
    assert run.reliability().as_dict() == result.test.as_dict()
    assert not run.facts_calibrated  # ten validation facts are too few
    run.save(tmp_path / "run")
    loaded = tucker.load(tmp_path / "run")
    assert loaded.calibration == "platt"
    assert loaded.predict(subject="e1", relation="r0") == run.predict(subject="e1", relation="r0")
    assert loaded.discover(k=5) == run.discover(k=5)
    assert loaded.classify() == run.classify()
    (tmp_path / "facts.tsv").write_text("e1\tr0\te2\n")
    assert loaded.score_file(tmp_path / "facts.tsv")[0].fact.object == "e2"
    loaded.calibrate()
    assert tucker.load(tmp_path / "run").calibration == "isotonic"


def test_looking_inside(run):
    shapes = run.inspect()
    assert {shape.relation for shape in shapes} == {"r0", "r1", "r2"}
    assert run.inspect("r1")[0] in shapes
    assert run.relation_matrix("r1").shape == (8, 8)


def test_a_model_beside():
    training = {"epochs": 1, "loss": "softmax"}
    beside = {"model": {"name": "complex", "d_e": 6}, "training": training}
    both = tucker.train(make_graph(n_e=14, facts=160), beside=beside, **TINY | {"loss": "softmax"})
    assert both.config["beside"]["weight"] == 1.0
    assert both.model.E.shape[1] == TINY["d_e"] + 6
    assert both.relation_matrix("r1").shape == (14, 14)


def test_another_model_becomes_a_tucker_and_is_trained_on(tmp_path):
    words = {key: TINY[key] for key in TINY if key != "d_r"}
    run = tucker.train(make_graph(n_e=14, facts=160), model="complex", **words)
    converted = run.as_tucker()
    assert converted.path is None
    assert converted.config["model"]["name"] == "tucker"
    assert converted.evaluate().as_dict() == run.evaluate().as_dict()
    with pytest.raises(tucker.TuckerError, match="save this one first"):
        converted.train_on()
    converted.save(tmp_path / "run")
    further = converted.train_on(epochs=2, learning_rate=1e-9, progress=False)
    assert further.config["start"] == str(tmp_path / "run")
    assert further.config["training"]["epochs"] == 2
    torch.testing.assert_close(further.model.E, run.model.E)


def test_the_seed(run):
    other = tucker.train(make_graph(n_e=14, facts=160), seed=1, **TINY)
    assert other.config["seed"] == 1
    assert not other.model.E.equal(run.model.E)


def test_progress_goes_to_stderr_or_nowhere(capfd, monkeypatch):
    monkeypatch.setattr("tucker.progress._LINE_SECONDS", 0.0)
    tucker.train(make_graph(), **(TINY | {"progress": True}))
    out, err = capfd.readouterr()
    assert out == ""
    assert "epoch 3/3" in err
    tucker.train(make_graph(), **TINY)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epoch": 3}, "epochs"),
        ({"d_ee": 3}, "did you mean d_e?"),
        ({"learnin_rate": 0.1}, "did you mean learning_rate?"),
        ({"epochs": 0}, "training.epochs: "),
        ({"dropout_query": 2}, "model.dropout_query is 2"),
        ({"model": "tuker"}, "did you mean tucker"),
    ],
)
def test_a_wrong_setting_is_refused_and_names_the_nearest(settings, message):
    with pytest.raises(tucker.TuckerError) as caught:
        tucker.train(make_graph(), **(TINY | settings))
    assert message in str(caught.value)
    assert "known are" not in str(caught.value)


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(tucker.TuckerError, match=r"is not a run: it has no manifest.json"):
        tucker.load(tmp_path)
