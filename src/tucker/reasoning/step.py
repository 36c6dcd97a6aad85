"""The edges of one step: a relation walked one way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tucker.graph import Ids


@dataclass(frozen=True, eq=False)
class Step:
    """Edges by source, then target; those of entity i stand from first[i] to first[i + 1]."""

    sources: Ids  # (edges,)
    targets: Ids  # (edges,)
    first: Ids  # (n_e + 1,)

    @classmethod
    def of(cls, sources: Ids, targets: Ids, n_e: int) -> Step:
        """Index edges that are in order."""
        first = np.zeros(n_e + 1, dtype=np.int64)
        np.cumsum(np.bincount(sources, minlength=n_e), out=first[1:])
        return cls(sources, targets, first)

    def leading(self, there: NDArray[np.bool_]) -> Step:
        """Return only the edges whose target is one of those marked, (n_e,)."""
        kept = there[self.targets]
        if kept.all():
            return self
        return Step.of(self.sources[kept], self.targets[kept], len(there))

    @cached_property
    def columns(self) -> Ids:
        """The number of each entity among the distinct targets; -1 if it is none, (n_e,)."""
        among = np.zeros(len(self.first) - 1, dtype=np.bool_)
        among[self.targets] = True
        return np.where(among, np.cumsum(among) - 1, -1)

    @cached_property
    def width(self) -> int:
        """How many distinct targets there are."""
        return int(self.columns.max(initial=-1)) + 1

    def walk(self, entities: Ids) -> tuple[Ids, Ids]:
        """Return how many edges each of some entities has, and the targets of all of them."""
        starts = self.first[entities]
        counts = self.first[entities + 1] - starts
        places = np.repeat(starts - np.cumsum(counts) + counts, counts)
        places += np.arange(len(places))
        return counts, self.targets[places]
