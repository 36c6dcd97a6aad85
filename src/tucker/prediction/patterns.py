"""How often a pattern of steps goes with a relation, counted from the training facts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tucker.graph import Ids
from tucker.prediction.edges import Edges

MOST_STEPS = 1 << 21  # taken in one count, about 200 MB; beyond that, some subjects are drawn
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
    ahead = _paths_ahead(edges, steps)
    subjects = np.flatnonzero(ahead[0])
    chosen = _drawn(subjects, ahead[0], most)
    x, at = chosen, chosen
    paths = np.ones(len(x), dtype=np.int64)
    for step, further in zip(steps, [*ahead[1:], None], strict=True):
        rows, targets = edges.answers.find(at, np.full_like(at, step))
        keep = targets != x[rows]
        if further is not None:
            keep &= further[targets] > 0
        rows, targets = rows[keep], targets[keep]
        x, at, paths = _merged(edges.n_e, x[rows], targets, paths[rows])
    keys = x * edges.n_e + at  # ascending, as _merged leaves them
    if len(steps) == 3:
        paths = paths - _going_back(edges, steps, keys)
    keys = keys[(paths > 0) & (keys != pair[0] * edges.n_e + pair[1])]
    support = int(np.isin(keys, edges.pairs(r), assume_unique=True).sum())
    return Count(support, len(keys), len(chosen), len(subjects))


def fan_out(edges: Edges) -> NDArray[np.float64]:
    """Return how many targets a source of each step has on average, (2 n_r,)."""
    relations, facts = edges.answers.relations, edges.answers.counts
    sources = np.bincount(relations, minlength=2 * edges.n_r)
    return np.bincount(relations, facts, 2 * edges.n_r) / np.maximum(sources, 1)


def _paths_ahead(edges: Edges, steps: tuple[int, ...]) -> list[NDArray[np.float64]]:
    """Return how many paths begin at each entity with each of the steps and those after it."""
    ahead: list[NDArray[np.float64]] = []
    weights = None
    for step in reversed(steps):
        sources, targets = edges.of_step(step)
        of_target = None if weights is None else weights[targets]
        weights = np.bincount(sources, of_target, edges.n_e).astype(np.float64)
        ahead.insert(0, weights)
    return ahead


def _drawn(subjects: Ids, paths: NDArray[np.float64], most: int) -> Ids:
    """Return all subjects if their paths are few enough, else some of them, ascending."""
    if paths[subjects].sum() <= most:
        return subjects
    few = subjects[paths[subjects] <= most]
    few = np.random.default_rng(0).permutation(few)
    return np.sort(few[np.cumsum(paths[few]) <= most])


def _merged(n_e: int, x: Ids, at: Ids, paths: Ids) -> tuple[Ids, Ids, Ids]:
    """Add up the paths that lead from the same x to the same entity."""
    keys, place = np.unique(x * n_e + at, return_inverse=True)
    counts = np.bincount(place, paths, len(keys)).astype(np.int64)
    return keys // n_e, keys % n_e, counts


def _going_back(edges: Edges, steps: tuple[int, ...], keys: Ids) -> Ids:
    """Return for each pair (x, y) how many of its paths x → y → b → y there are, b not being x."""
    there, back = edges.pairs(steps[1]), edges.pairs(int(edges.backwards(np.array(steps[2]))))
    round_trips = np.intersect1d(there, back, assume_unique=True)  # y * n_e + b
    trips = np.bincount(round_trips // edges.n_e, minlength=edges.n_e)
    x, y = keys // edges.n_e, keys % edges.n_e
    through_x = np.isin(y * edges.n_e + x, round_trips)
    begins = np.isin(keys, edges.pairs(steps[0]), assume_unique=True)
    result: Ids = np.where(begins, trips[y] - through_x, 0)
    return result
