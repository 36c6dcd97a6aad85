"""Metrics of some ranks, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tucker.evaluation.metrics import Metrics


def test_every_figure_is_a_mean_over_queries():
    metrics = Metrics.of(np.array([1.0, 2.5, 4.0, 20.0]), np.array([21, 21, 21, 41]))
    assert metrics.queries == 4
    assert metrics.mrr == pytest.approx((1 + 1 / 2.5 + 1 / 4 + 1 / 20) / 4)
    assert (metrics.hits_at_1, metrics.hits_at_3, metrics.hits_at_10) == (0.25, 0.5, 0.75)
    assert metrics.mean_rank == pytest.approx(27.5 / 4)
    # By chance the ranks beyond 1 add up to (20 + 20 + 20 + 40) / 2; here they are 23.5.
    assert metrics.amri == pytest.approx(1 - 23.5 / 50)


def test_amri_is_one_for_the_best_and_about_zero_by_chance():
    candidates = np.full(1001, 1001)
    assert Metrics.of(np.ones(1001), candidates).amri == 1
    assert Metrics.of(np.arange(1, 1002.0), candidates).amri == pytest.approx(0)


def test_no_query_and_no_choice_give_zeros():
    empty = Metrics.of(np.empty(0), np.empty(0, dtype=np.int64))
    assert set(empty.as_dict().values()) == {0}
    alone = Metrics.of(np.ones(2), np.ones(2, dtype=np.int64))
    assert (alone.mrr, alone.amri) == (1, 0)
