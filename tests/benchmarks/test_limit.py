"""The limit is counted in operations, and a share of it in time."""

from __future__ import annotations

import pytest

from benchmarks.limit import ROWS, Products, limit_seconds, shares_of_limit
from benchmarks.measuring import Timed, median_of, timed_steps


def test_a_product_costs_two_operations_for_each_row_entity_and_dimension():
    assert limit_seconds(1, rows=10, n_e=100, d_e=50, gflops=1e-3) == pytest.approx(0.1)


def test_fb15k_237s_epoch_at_145_gflops_takes_18_seconds():
    assert limit_seconds(3, 149_689, n_e=14_541, d_e=200, gflops=145) == pytest.approx(18, abs=0.1)


STEPS = {"step_128": 128, "step_512": 512, "softmax_step_512": 512}


def figures_at(gflops: float, kind: str) -> dict[str, float]:
    """What takes just the time of its products."""
    ms = {key: 1e3 * limit_seconds(3, rows, 1000, 20, gflops) for key, rows in STEPS.items()}
    return (
        {f"{key}_{kind}ms": value for key, value in ms.items()}
        | {f"{key}_{kind}gflops": gflops for key in ("ranking", *STEPS)}
        | {f"{kind}queries_per_second": 1 / limit_seconds(1, 1, 1000, 20, gflops)}
    )


def test_what_takes_just_the_time_of_its_products_has_all_of_the_limit():
    ours = figures_at(50.0, "") | figures_at(70.0, "best_")
    all_of_it = pytest.approx(dict.fromkeys(["ranking", *STEPS], 1))
    assert shares_of_limit(ours, 1000, 20) == all_of_it
    assert shares_of_limit(ours, 1000, 20, "best_") == all_of_it


def test_each_share_is_of_the_speed_seen_beside_it():
    ours = figures_at(50.0, "") | figures_at(70.0, "best_")
    slower = ours | {"step_512_ms": 2 * ours["step_512_ms"], "step_128_gflops": 100.0}
    shares = shares_of_limit(slower, 1000, 20)
    assert (shares["step_512"], shares["step_128"]) == (pytest.approx(0.5), pytest.approx(0.5))
    assert shares["softmax_step_512"] == pytest.approx(1)


def test_all_three_products_are_timed_and_the_fastest_counts(monkeypatch):
    clock = iter([0, 2, 10, 14, 20, 23, 30, 31, 40, 46, 50, 53])  # 2 and 1, 4 and 6, 3 and 3
    monkeypatch.setattr("benchmarks.limit.time.perf_counter", lambda: next(clock))
    products = Products(200, 20)
    products()
    products()
    operations = 2 * ROWS * 200 * 20 / 1e9
    assert products.gflops() == pytest.approx((operations / 1.5, operations / 1))


def test_a_step_counts_without_what_holds_it_up_and_one_of_another_kind_by_its_share(monkeypatch):
    taken = [5, 1, 1, 9, 7, 1, 1, 2]  # in cycles of four, the first another kind than the rest
    clock = iter([at for i, seconds in enumerate(taken) for at in (10 * i, 10 * i + seconds)])
    monkeypatch.setattr("benchmarks.measuring.time.perf_counter", lambda: next(clock))
    done = []
    timed = timed_steps(
        done.append, iter(range(99)), 8, cycle=4, beside=lambda: done.append("beside")
    )
    assert timed == Timed(usual=(6 + 3 * 1) / 4, best=(5 + 3 * 1) / 4)
    assert done == [*range(5), *(x for i in range(5, 13) for x in ("beside", i))]


def test_the_median_round_counts_and_of_memory_the_most():
    rounds = [
        {"step_ms": 5, "queries_per_second": 100, "peak_memory_mb": 7, "version": "1.0"},
        {"step_ms": 4, "queries_per_second": 90, "peak_memory_mb": 9, "version": "1.0"},
        {"step_ms": 9, "queries_per_second": 95, "peak_memory_mb": 8, "version": "1.0"},
    ]
    middle = {"step_ms": 5, "queries_per_second": 95, "peak_memory_mb": 9, "version": "1.0"}
    assert median_of(rounds) == middle
