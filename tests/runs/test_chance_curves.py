from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import make_graph
from tucker.errors import RunError
from tucker.mixture import build_model
from tucker.runs import RunFolder, load_run
from tucker.runs.chance_curves import (
    CLOSED_BINS,
    Calibration,
    Isotonic,
    Openness,
    Platt,
    closed_bins,
)

CONFIG = {
    "graph": "drawn",
    "model": {"name": "tucker", "d_e": 5, "d_r": 3},
    "training": {"loss": "softmax"},
}
RISING = Isotonic((-3.0, -1.0, 0.5), (0.0, 0.25, 0.75))
chances = st.floats(0, 1)


def make_calibration(method="isotonic"):
    counts = np.arange(2 * 6 * CLOSED_BINS).reshape(2, 6, CLOSED_BINS)
    own, pooled = (RISING, RISING) if method == "isotonic" else (Platt(2.0, -1.0), Platt(0.5, 0.1))
    openness = Openness(counts[1], counts[0])
    facts, worth = Isotonic((0.0, 0.5), (0.0, 0.75)), {"test": {"ece": 0.25, "bins": []}}
    return Calibration(method, pooled, {1: own, 4: own}, openness, facts, worth)


@pytest.fixture
def folder(graph, tmp_path):
    folder = RunFolder(tmp_path / "run")
    folder.begin(CONFIG, graph)
    folder.write_journal([])
    folder.finish(build_model(CONFIG, graph), {})
    return folder


@pytest.mark.parametrize("curve", [RISING, Platt(), Platt(0.3, -2.0)])
@given(chance=chances)
def test_the_least_evidence_for_a_probability(curve, chance):
    least = curve.evidence_for(chance)
    if np.isfinite(least):
        assert curve.chance(np.array([least]))[0] == pytest.approx(chance, abs=1e-9)
        assert curve.chance(np.array([least - 0.01]))[0] <= chance + 1e-9
    elif least > 0:
        assert curve.chance(np.array([500.0]))[0] <= chance
    else:
        assert curve.chance(np.array([-500.0]))[0] >= chance


def test_curves_in_plain_arithmetic():
    assert RISING.chance(np.array([-9, -2, -1, 9])).tolist() == [0, 0.125, 0.25, 0.75]
    assert Platt(2.0, 1.0).chance(np.array([-0.5]))[0] == 0.5
    assert Platt().chance(np.array([-1e6, 1e6])).tolist() == [0, 1]


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_what_is_written_is_read_back(folder, graph, method):
    assert load_run(folder.path).calibration is None
    written = make_calibration(method)
    folder.write_calibration(written.as_dict(graph))
    read = load_run(folder.path).calibration
    assert (read.method, read.pooled, read.curves) == (method, written.pooled, written.curves)
    assert (read.facts, read.reliability) == (written.facts, written.reliability)
    assert read.openness.asked.tolist() == written.openness.asked.tolist()
    assert read.openness.open.tolist() == written.openness.open.tolist()
    assert "calibration.json" in json.loads((folder.path / "manifest.json").read_text())["files"]
    folder.write_calibration(make_calibration("isotonic").as_dict(graph))
    assert load_run(folder.path).calibration.method == "isotonic"


def test_an_older_calibration_has_no_curve_of_facts(folder, graph):
    older = make_calibration().as_dict(graph)
    del older["facts"], older["reliability"]
    folder.write_calibration(older)
    read = load_run(folder.path).calibration
    assert read.pooled == RISING
    assert read.facts is read.reliability is None


def test_a_changed_calibration_is_refused(folder, graph):
    folder.write_calibration(make_calibration().as_dict(graph))
    path = folder.path / "calibration.json"
    path.write_text(path.read_text().replace("0.25", "0.26"))
    with pytest.raises(RunError, match=r"calibration.json: has changed since it was written"):
        load_run(folder.path)
    path.unlink()
    with pytest.raises(RunError, match=r"calibration.json is missing"):
        load_run(folder.path)


def test_a_run_that_was_stopped_while_it_was_calibrated_can_be_loaded(folder, graph, monkeypatch):
    folder.write_calibration(make_calibration().as_dict(graph))
    seal, sealed = folder.seal, []

    def stop(**words):
        if sealed:
            raise KeyboardInterrupt
        sealed.append(seal(**words))

    monkeypatch.setattr(folder, "seal", stop)
    with pytest.raises(KeyboardInterrupt):
        folder.write_calibration(make_calibration("platt").as_dict(graph))
    assert load_run(folder.path).calibration is None


@pytest.mark.parametrize("data", [None, [], {}, {"method": "isotonic"}])
def test_what_is_no_calibration_is_refused(data):
    with pytest.raises(RunError, match="run tucker calibrate anew"):
        Calibration.of_dict(data, make_graph(), "here")


def test_kinds_double():
    closed = np.array([0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 9999])
    assert closed_bins(closed).tolist() == [0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_a_kind_of_question_never_found_open_is_improbable():
    asked = np.full((2, CLOSED_BINS), 100)
    open = np.array([[50] * CLOSED_BINS, [0, 50, 50, 50, 50, 50, 50]])
    openness = Openness(asked, open)
    r, closed = np.array([0, 0, 1]), np.array([0, 1, 0])
    chances = openness.chance(r, closed)
    assert chances[1] == openness.chance(np.array([0]), np.array([1]))[0] == pytest.approx(0.5)
    assert chances[2] < 0.02
    assert openness.plausibility(r, closed).tolist() == [1, 1, chances[2]]
    few = Openness(np.full((2, CLOSED_BINS), 3), np.zeros((2, CLOSED_BINS), dtype=np.int64))
    assert few.plausibility(r[:1], closed[:1]).tolist() == [1]
