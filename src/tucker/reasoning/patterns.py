"""How often a pattern of steps goes with a relation, counted from the training facts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tucker.graph import Ids
from tucker.reasoning.edges import Edges
from tucker.reasoning.walks import PatternWalks

MOST_STEPS = 1 << 21  # taken in one count; beyond that, some subjects are drawn
_DOUBT = 5  # pairs without the relation that are imagined beside those counted
_PATHS_AT_ONCE = 1 << 16  # so few that the processor's cache holds them
_CELLS_A_PAIR = 32  # a table with more cells for each pair given takes longer than sorting


@dataclass(frozen=True)
class PatternCount:
    """The pairs of entities that a pattern joins, and those of them that have the relation."""

    support: int
    joined: int
    subjects: int  # where the counted paths begin
    of_subjects: int  # where any path of the pattern begins

    @property
    def confidence(self) -> float:
        """The share of the joined pairs that have the relation."""
        return self.support / self.joined if self.joined else 0.0

    @property
    def sampled(self) -> bool:
        """Whether only some of the subjects were counted."""
        return self.subjects < self.of_subjects

    @property
    def weight(self) -> float:
        """The confidence, less so the fewer pairs it rests on: what patterns are ordered by."""
        return self.support / (self.joined + _DOUBT)


def count_pattern(
    edges: Edges, steps: tuple[int, ...], r: int, pair: tuple[int, int], most: int = MOST_STEPS
) -> PatternCount:
    """Count the pairs that a pattern of one to three steps joins, all but the pair in question.

    Only paths that visit no entity twice count, so no fact is a reason for itself. All pairs are
    counted if that takes at most `most` steps, otherwise those of subjects drawn at random; one
    whose paths alone take more is left out.
    """
    walks, known = PatternWalks.of(edges, steps), edges.of_step(r)
    subjects, of_subjects = walks.subjects(most)
    last = walks.steps[-1]
    s, o = pair
    is_known = o in known.from_many(np.array([s]))[1]
    support = joined = 0
    part = np.cumsum(walks.paths[subjects]) // _PATHS_AT_ONCE
    for some in np.split(subjects, np.flatnonzero(np.diff(part)) + 1):
        row, end = walks.ends(some)
        pairs = Pairs.of(row * last.width + last.columns[end], len(some), last.width)
        rows, objects = known.from_many(some)
        here = np.flatnonzero(some == s)
        itself = pairs.count(here, np.full_like(here, last.columns[o]))
        support += pairs.count(rows, last.columns[objects]) - itself * is_known
        joined += len(pairs) - itself
    return PatternCount(support, joined, len(subjects), of_subjects)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Distinct pairs (row, column): marked in a table if they are dense, else sorted."""

    width: int
    table: NDArray[np.bool_] | None  # (rows * width,)
    keys: Ids  # row * width + column, ascending, where there is no table

    @classmethod
    def of(cls, keys: Ids, rows: int, width: int) -> Pairs:
        """Gather pairs, each given once or more as row * width + column."""
        cells = rows * width
        if cells <= _CELLS_A_PAIR * len(keys):
            table = np.zeros(cells, dtype=np.bool_)
            table[keys] = True
            return cls(width, table, keys[:0])
        keys = np.sort(keys)
        return cls(width, None, keys[np.diff(keys, prepend=-1) > 0])

    def __len__(self) -> int:
        return len(self.keys) if self.table is None else int(np.count_nonzero(self.table))

    def count(self, rows: Ids, columns: Ids) -> int:
        """Return how many of some pairs are in the set; one with the column -1 is not."""
        keys = (rows * self.width + columns)[columns >= 0]
        if self.table is not None:
            return int(np.count_nonzero(self.table[keys]))
        places = np.searchsorted(self.keys, keys)
        return int(np.count_nonzero(np.append(self.keys, -1)[places] == keys))
