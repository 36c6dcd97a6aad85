"""Metrics of a set of ranks."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Metrics:
    """How well true answers are ranked; every figure is a mean over queries."""

    queries: int  # how many questions were asked
    mrr: float  # mean reciprocal rank
    hits_at_1: float  # share of true answers that are ranked first
    hits_at_3: float  # among the first three
    hits_at_10: float  # among the first ten
    mean_rank: float  # from 1, lower is better
    amri: float  # 1: always first; 0: as good as chance (Berrendorf et al., 2020)

    @classmethod
    def of(cls, ranks: npt.NDArray[np.float64], candidates: npt.NDArray[np.int64]) -> Metrics:
        """Average the ranks of some queries; of none, every figure is zero."""
        if ranks.size == 0:
            return cls(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        by_chance = (candidates - 1).sum() / 2  # what the ranks beyond 1 would add up to
        return cls(
            queries=ranks.size,
            mrr=float((1 / ranks).mean()),
            hits_at_1=float((ranks <= 1).mean()),
            hits_at_3=float((ranks <= 3).mean()),
            hits_at_10=float((ranks <= 10).mean()),
            mean_rank=float(ranks.mean()),
            amri=float(1 - (ranks - 1).sum() / by_chance) if by_chance else 0.0,
        )

    def as_dict(self) -> dict[str, float]:
        """Return the figures by name."""
        return asdict(self)
