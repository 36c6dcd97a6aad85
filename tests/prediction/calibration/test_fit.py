"""Candidates counted by evidence, and curves through the counts."""

from __future__ import annotations

import numpy as np
import pytest

from tucker.prediction.calibration.fit import Counts, Outcomes, count, isotonic, platt


def outcomes(evidence, true, *, shared=None, weight=None):
    true = np.array(true, dtype=bool)
    return Outcomes(
        np.array(evidence, dtype=float),
        true,
        np.zeros_like(true) if shared is None else np.array(shared, dtype=bool),
        np.ones(len(true)) if weight is None else np.array(weight, dtype=float),
    )


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_nothing_is_lost_in_bins():
    random = np.random.default_rng(0)
    evidence, weight = random.normal(size=3000), random.uniform(1, 3, 3000)
    true = random.random(3000) < sigmoid(evidence)
    counts = count(outcomes(evidence, true, weight=weight), unseen=0)
    assert (np.diff(counts.evidence) > 0).all()
    assert counts.true.sum() == pytest.approx(weight[true].sum())
    assert counts.false.sum() == pytest.approx(weight[~true].sum())
    assert 50 <= len(counts.evidence) <= 100


def test_facts_of_the_test_split_are_taken_off():
    evidence = np.zeros(10)
    true, shared = np.arange(10) < 4, np.arange(10) < 2
    counts = count(outcomes(evidence, true, shared=shared), unseen=1.5)
    assert (counts.true.tolist(), counts.false.tolist()) == ([4], [6 - 1.5 * 2])
    many = count(outcomes(evidence, true, shared=true), unseen=9)
    assert many.false.tolist() == [0]  # never fewer than none


def test_a_line_is_found_again():
    pytest.importorskip("sklearn")
    evidence = np.linspace(-4, 4, 41)
    chance = sigmoid(2 * evidence - 1)
    line = platt(Counts(evidence, 1000 * chance, 1000 * (1 - chance)))
    assert (line.slope, line.intercept) == pytest.approx((2, -1), abs=0.01)


def test_a_rising_curve_pools_what_falls():
    pytest.importorskip("sklearn")
    counts = Counts(np.array([0.0, 1, 2, 3]), np.array([1.0, 5, 3, 9]), np.array([9.0, 5, 7, 1]))
    curve = isotonic(counts)
    assert curve.chance(counts.evidence) == pytest.approx([0.1, 0.4, 0.4, 0.9])


def test_evidence_that_says_nothing_gives_no_curve():
    pytest.importorskip("sklearn")
    falling = Counts(np.array([0.0, 1]), np.array([9.0, 1]), np.array([1.0, 9]))
    assert isotonic(falling) is None
    assert platt(falling) is None
