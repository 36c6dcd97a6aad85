"""The limit is counted in operations, and a share of it in time."""

from __future__ import annotations

import pytest

from benchmarks.common import best_of
from benchmarks.limit import limit_seconds, sgemm_gflops, shares_of_limit


def test_a_product_costs_two_operations_for_each_row_entity_and_dimension():
    assert limit_seconds(1, rows=10, n_e=100, d_e=50, gflops=1e-3) == pytest.approx(0.1)


def test_fb15k_237s_epoch_at_145_gflops_takes_18_seconds():
    assert limit_seconds(3, 149_689, n_e=14_541, d_e=200, gflops=145) == pytest.approx(18, abs=0.1)


def test_what_takes_just_the_time_of_its_products_has_all_of_the_limit():
    steps = {"step_128": 128, "step_512": 512, "softmax_step_512": 512}
    ours = {
        f"{key}_ms": 1e3 * limit_seconds(3, rows, 1000, 20, 50.0) for key, rows in steps.items()
    }
    ours |= {"sgemm_gflops": 50.0, "queries_per_second": 1 / limit_seconds(1, 1, 1000, 20, 50.0)}
    assert shares_of_limit(ours, 1000, 20) == pytest.approx(dict.fromkeys(["ranking", *steps], 1))
    slower = ours | {"step_512_ms": 2 * ours["step_512_ms"]}
    assert shares_of_limit(slower, 1000, 20)["step_512"] == pytest.approx(0.5)


def test_the_product_is_measured():
    assert sgemm_gflops(200, 20) > 0


def test_the_best_round_counts_and_of_memory_the_most():
    rounds = [
        {"step_ms": 5, "queries_per_second": 100, "peak_memory_mb": 7, "version": "1.0"},
        {"step_ms": 4, "queries_per_second": 90, "peak_memory_mb": 9, "version": "1.0"},
    ]
    best = {"step_ms": 4, "queries_per_second": 100, "peak_memory_mb": 9, "version": "1.0"}
    assert best_of(rounds) == best
