"""How often a pattern of steps goes with a relation, counted from the training facts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tucker.reasoning.edges import Edges
from tucker.reasoning.walks import Walks

MOST_STEPS = 1 << 21  # taken in one count; beyond that, some subjects are drawn
_DOUBT = 5  # pairs without the relation that are imagined beside those counted


@dataclass(frozen=True)
class Count:
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
) -> Count:
    """Count the pairs that a pattern of one to three steps joins, all but the pair in question.

    Only paths that visit no entity twice count, so no fact is a reason for itself. All pairs are
    counted if that takes at most `most` steps, otherwise those of subjects drawn at random; one
    whose paths alone take more is left out.
    """
    walks, known = Walks.of(edges, steps), edges.step(r)
    subjects, of_subjects = walks.subjects(most)
    columns = walks.steps[-1].columns
    s, o = pair
    is_known = o in known.walk(np.array([s]))[1]
    support = joined = 0
    for some, pairs in walks.joined(subjects):
        counts, objects = known.walk(some)
        rows = np.repeat(np.arange(len(some)), counts)
        here = np.flatnonzero(some == s)
        itself = pairs.count(here, np.full_like(here, columns[o]))
        support += pairs.count(rows, columns[objects]) - itself * is_known
        joined += len(pairs) - itself
    return Count(support, joined, len(subjects), of_subjects)
