"""The machine's limit: the products with all entities that no exact 1-N method can do without."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from benchmarks.common import Figures

PRODUCTS_OF_A_STEP = 3  # scores, gradient of the queries, gradient of E
PRODUCTS_OF_A_RANK = 1  # scores
ROWS = 512
REPEATS = 8


def sgemm_gflops(n_e: int, d_e: int) -> float:
    """Return the speed of the machine's matrix product into kept memory, at the step's shapes."""
    E, q = torch.randn(n_e, d_e), torch.randn(ROWS, d_e)
    z, grad_E, grad_q = torch.empty(n_e, ROWS), torch.empty(n_e, d_e), torch.empty(ROWS, d_e)
    products: list[Callable[[], object]] = [
        lambda: torch.mm(E, q.T, out=z),
        lambda: torch.mm(z, q, out=grad_E),
        lambda: torch.mm(z.T, E, out=grad_q),
    ]
    best = 0.0
    for product in products:
        for _ in range(REPEATS):
            start = time.perf_counter()
            product()
            best = max(best, 2 * ROWS * n_e * d_e / 1e9 / (time.perf_counter() - start))
    return best


def limit_seconds(products: int, rows: int, n_e: int, d_e: int, gflops: float) -> float:
    """Return the time of products between some rows and all entities: 2 rows n_e d_e each."""
    return products * 2 * rows * n_e * d_e / (gflops * 1e9)


def shares_of_limit(ours: Figures, n_e: int, d_e: int) -> Figures:
    """Return how near each figure comes to the limit; 1 is all that the machine can do."""
    speed = ours["sgemm_gflops"]
    a_rank = limit_seconds(PRODUCTS_OF_A_RANK, 1, n_e, d_e, speed)
    shares = {"ranking": ours["queries_per_second"] * a_rank}
    steps = [key.removesuffix("_ms") for key in ours if key.endswith("_ms")]
    for key in steps:  # each ends with the number of its rows
        a_step = limit_seconds(PRODUCTS_OF_A_STEP, int(key.rpartition("_")[2]), n_e, d_e, speed)
        shares[key] = a_step / (ours[f"{key}_ms"] / 1e3)
    return shares
