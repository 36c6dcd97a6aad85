from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.prediction.conftest import calibrated_run, make_run
from tucker.prediction.chances import (
    chances,
    evidence,
    fact_chances,
    least_chance,
    least_evidence,
    total_among,
    total_of_all,
)

SCORES = torch.tensor([[0.0, 1.0, 2.0], [5.0, -1.0, 0.5]])


def test_scores_of_the_bernoulli_loss_are_log_odds():
    assert total_of_all(make_run("bernoulli"), SCORES) is None
    assert evidence(SCORES, None).equal(SCORES)


def test_rules_make_shares_of_any_scores():
    run = make_run("bernoulli")
    ruled = replace(run, config={**run.config, "rules": {"weight": 1.0}})
    assert total_of_all(ruled, SCORES) is not None


def test_shares_are_those_of_a_softmax():
    odds = evidence(SCORES, total_of_all(make_run("softmax"), SCORES)[:, None])
    assert torch.sigmoid(odds).allclose(torch.softmax(SCORES, dim=1))


def test_shares_among_candidates_leave_the_others_out():
    new = torch.tensor([[True, True, False], [False, True, True]])
    shares = torch.sigmoid(evidence(SCORES, total_among(SCORES, new)[:, None]))
    assert (shares * new).sum(1).tolist() == pytest.approx([1.0, 1.0])


def test_one_candidate_alone_has_finite_evidence():
    new = torch.tensor([[False, False, True]])
    odds = evidence(SCORES[:1], total_among(SCORES[:1], new)[:, None])
    assert 10 < float(odds[0, 2]) < math.inf


@pytest.mark.parametrize("method", ["isotonic", "platt"])
@pytest.mark.parametrize("by_itself", [True, False])
def test_chances_against_one_at_a_time(method, by_itself):
    run = calibrated_run(method)
    random = torch.Generator().manual_seed(0)
    r = torch.randint(2 * run.graph.n_r, (50,), generator=random)
    closed = torch.randint(20, (50,), generator=random)
    odds = torch.randn(50, generator=random) * 3
    found = chances(run, r, closed, odds, by_itself=by_itself)
    openness = run.calibration.openness
    may_be = openness.chance if by_itself else openness.plausibility
    for i in range(50):
        alone = run.calibration.curve(int(r[i])).chance(np.array([float(odds[i])]))
        expected = alone * may_be(r[i : i + 1].numpy(), closed[i : i + 1].numpy())
        assert float(found[i]) == pytest.approx(float(expected[0]))


@pytest.mark.parametrize("method", ["isotonic", "platt"])
@pytest.mark.parametrize("chance", [0.05, 0.2])
def test_the_least_evidence_gives_the_chance_and_a_little_less_does_not(method, chance):
    run = calibrated_run(method)
    r = torch.arange(2 * run.graph.n_r)
    closed = torch.full_like(r, 3)
    least = least_evidence(run, r, closed, chance)
    fits = least.isfinite()
    assert fits.any()
    for step, expected in ((1e-6, True), (-1e-3, False)):
        found = chances(run, r, closed, least + step, by_itself=True)
        assert ((found[fits] >= chance - 1e-9) == expected).all()


@pytest.mark.parametrize("fitted", [True, False])
def test_a_fact_s_own_chance_and_the_least_that_makes_it(fitted):
    run = calibrated_run(fitted=fitted)
    least = least_chance(run, 0.5)
    around = torch.tensor([least - 1e-3, least + 1e-3], dtype=torch.float64)
    assert (fact_chances(run, around) >= 0.5).tolist() == [False, True]
