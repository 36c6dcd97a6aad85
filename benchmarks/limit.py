"""The machine's limit: the products with all entities that no exact 1-N method can do without."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Literal

import torch

from benchmarks.measuring import Figures

PRODUCTS_OF_A_STEP = 3  # scores, gradient of the queries, gradient of E
PRODUCTS_OF_A_RANK = 1  # scores
ROWS = 512


class Products:
    """The products of a step into kept memory, timed whenever they are called."""

    def __init__(self, n_e: int, d_e: int) -> None:
        E, q = torch.randn(n_e, d_e), torch.randn(ROWS, d_e)
        z, grad_E, grad_q = torch.empty(n_e, ROWS), torch.empty(n_e, d_e), torch.empty(ROWS, d_e)
        self._operations = 2 * ROWS * n_e * d_e
        self._products: list[Callable[[], object]] = [
            lambda: torch.mm(E, q.T, out=z),
            lambda: torch.mm(z, q, out=grad_E),
            lambda: torch.mm(z.T, E, out=grad_q),
        ]
        self._seconds: list[list[float]] = [[] for _ in self._products]

    def __call__(self) -> None:
        for product, seconds in zip(self._products, self._seconds, strict=True):
            start = time.perf_counter()
            product()
            seconds.append(time.perf_counter() - start)

    def gflops(self) -> tuple[float, float]:
        """Return the speed of the fastest of them as a rule, by its median, and at best."""
        usual, best = (min(map(kind, self._seconds)) for kind in (median, min))
        return self._operations / 1e9 / usual, self._operations / 1e9 / best


def limit_seconds(products: int, rows: int, n_e: int, d_e: int, gflops: float) -> float:
    """Return the time of products between some rows and all entities: 2 rows n_e d_e each."""
    return products * 2 * rows * n_e * d_e / (gflops * 1e9)


def shares_of_limit(ours: Figures, n_e: int, d_e: int, kind: Literal["", "best_"] = "") -> Figures:
    """Return how near each figure of a turn comes to the limit; at 1, nothing but products is left.

    Ranking could pass it: those who ask the same question share a product, of which the limit has
    one each.

    Each is set beside the speed of the product that was seen between its steps: both as a rule, or
    both at best.
    """
    a_rank = limit_seconds(PRODUCTS_OF_A_RANK, 1, n_e, d_e, ours[f"ranking_{kind}gflops"])
    shares = {"ranking": ours[f"{kind}queries_per_second"] * a_rank}
    steps = [key.removesuffix("_best_ms") for key in ours if key.endswith("_best_ms")]
    for key in steps:  # each ends with the number of its rows
        rows, speed = int(key.rpartition("_")[2]), ours[f"{key}_{kind}gflops"]
        a_step = limit_seconds(PRODUCTS_OF_A_STEP, rows, n_e, d_e, speed)
        shares[key] = a_step / (ours[f"{key}_{kind}ms"] / 1e3)
    return shares
