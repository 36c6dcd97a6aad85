from __future__ import annotations

import contextlib
import dataclasses
import sys

import numpy as np
import pytest

from tests.prediction.conftest import make_run
from tucker.errors import TuckerError
from tucker.graph import Answers
from tucker.graph.schema.types import Kinds
from tucker.prediction.calibration import calibrate as module
from tucker.prediction.calibration.calibrate import calibrate, count_questions
from tucker.prediction.calibration.held_out import HeldOutAnswers
from tucker.prediction.calibration.reliability import measure


def drawn(seed, n=40_000, relations=4, shared=0.0):
    """Draw candidates whose chance is σ(2 x − 1), and some test facts among the false ones."""
    random = np.random.default_rng(seed)
    x = random.normal(-1, 1.5, n).astype(np.float32)
    true = random.random(n) < 1 / (1 + np.exp(1 - 2 * x))
    beside = true & (random.random(n) < shared)
    extra = x[beside]  # each of these has a test fact with as much evidence beside it
    x, labels = np.concatenate([x, extra]), np.concatenate([true, np.zeros(len(extra), bool)])
    beside = np.concatenate([beside, np.zeros(len(extra), bool)])
    zeros = np.zeros(len(x), dtype=np.int64)
    relation = random.integers(relations, size=len(x))
    return HeldOutAnswers(100, relation, zeros, zeros, x, x, labels, beside, np.ones(len(x)))


@pytest.fixture
def learned(monkeypatch):
    """Calibrate an untrained run by candidates that were drawn."""

    def learn(method, **words):
        monkeypatch.setattr(module, "held_out_answers", lambda *args, **kinds: drawn(0, **words))
        run = make_run()
        even = dataclasses.replace(run.graph, test=run.graph.valid)
        run = dataclasses.replace(run, graph=even)
        calibration = calibrate(run, method)
        return dataclasses.replace(run, calibration=calibration)

    return learn


@pytest.mark.parametrize("method", ["isotonic", "platt"])
@pytest.mark.parametrize("shared", [0.0, 0.7])
def test_chances_are_found_again(learned, method, shared):
    run = learned(method, shared=shared)
    assert set(run.calibration.curves) == {0, 1, 2, 3}
    points = np.linspace(-3, 2, 11)
    wanted = 1 / (1 + np.exp(1 - 2 * points))
    for curve in (run.calibration.pooled, run.calibration.curves[2]):
        assert curve.chance(points) == pytest.approx(wanted, abs=0.1)
    assert measure(run, drawn(1), "test", 10).ece < 0.02


def test_relations_with_few_true_answers_share_a_curve(learned):
    run = learned("isotonic", n=300)
    assert run.calibration.curves == {}


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_a_run_whose_evidence_says_nothing(method, monkeypatch):
    upside_down = dataclasses.replace(drawn(0), evidence=-drawn(0).evidence)
    monkeypatch.setattr(module, "held_out_answers", lambda *args, **kinds: upside_down)
    with pytest.raises(TuckerError, match="better scores do not mean more true answers"):
        calibrate(make_run(), method)


def test_a_small_run_from_end_to_end(run):
    with contextlib.suppress(TuckerError):  # nobody trained it
        chances = calibrate(run).curve(0).chance(np.linspace(-9, 9, 50))
        assert (np.diff(chances) >= 0).all()


def test_questions_are_counted(run):
    graph = run.graph
    openness = count_questions(graph)
    kinds = Kinds(graph)
    for r in range(2 * graph.n_r):
        assert openness.asked[r].sum() == len(kinds.entities_of(r))
    assert (openness.open <= openness.asked).all()
    assert 0 < openness.open.sum() <= len(Answers.of(graph.valid, graph.n_e, graph.n_r))


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(TuckerError, match=r"pip install 'tucker\[calibration\]'"):
        calibrate(make_run())
