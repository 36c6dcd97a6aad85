from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.prediction.conftest import calibrated_run
from tucker.prediction import predict, reliability
from tucker.prediction.calibration.reliability import calibration_error, reliability_bins

said = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


@given(said)
def test_bins_in_plain_arithmetic(pairs):
    chances, true = (np.array(column) for column in zip(*pairs, strict=True))
    bins = reliability_bins(chances.astype(float), true)
    assert sum(bin.predictions for bin in bins) == len(pairs)
    error = 0.0
    for i in range(10):
        inside = [pair for pair in pairs if min(int(pair[0] * 10), 9) == i]
        if inside:
            error += abs(sum(pair[0] for pair in inside) - sum(pair[1] for pair in inside))
    assert calibration_error(bins) == pytest.approx(error / len(pairs), abs=1e-9)


def test_the_probabilities_measured_are_those_that_predict_shows():
    """With the test split taken out of the graph, predict shows what was measured."""
    run = calibrated_run()
    measured = reliability(run, "test", k=3)
    graph = dataclasses.replace(run.graph, test=run.graph.test[:0])
    without = dataclasses.replace(run, graph=graph)
    facts = set(map(tuple, run.graph.test.tolist()))
    chances, true = [], []
    for s, r in {(s, r) for s, r, _ in facts}:
        for one in predict(without, subject=f"e{s}", relation=f"r{r}", k=3):
            chances.append(one.probability)
            true.append((s, r, int(one.object[1:])) in facts)
    for r, o in {(r, o) for _, r, o in facts}:
        for one in predict(without, relation=f"r{r}", object=f"e{o}", k=3):
            chances.append(one.probability)
            true.append((int(one.subject[1:]), r, o) in facts)
    assert measured.predictions == len(chances)
    assert measured.true == pytest.approx(np.mean(true))
    brier = np.mean((np.array(chances) - np.array(true)) ** 2)
    assert measured.brier == pytest.approx(brier, abs=1e-5)


def test_the_form_for_programs(run):
    found = reliability(run, "valid", k=2).as_dict()
    assert set(found) == {
        "split", "k", "questions", "predictions", "true", "ece", "brier", "ece_of_first", "bins"
    }  # fmt: skip
    assert set(found["bins"][0]) == {"low", "high", "predictions", "probability", "true"}
