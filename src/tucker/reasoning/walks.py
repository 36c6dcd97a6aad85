"""All paths of a graph that take the same steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tucker.graph import Ids
from tucker.reasoning.edges import Edges
from tucker.reasoning.pairs import Pairs
from tucker.reasoning.step import Step

_PATHS_AT_ONCE = 1 << 16  # so few that the processor's cache holds them


@dataclass(frozen=True, eq=False)
class Walks:
    """The paths of a pattern of steps, and how many of them begin where."""

    steps: list[Step]  # only edges that lead on to the end
    paths: NDArray[np.float64]  # (n_e,) how many begin at each entity, those with turns back too

    @classmethod
    def of(cls, edges: Edges, steps: tuple[int, ...]) -> Walks:
        """Look ahead from the last step to the first."""
        walked = [edges.step(steps[-1])]
        paths = np.diff(walked[0].first).astype(np.float64)
        for number in reversed(steps[:-1]):
            step = edges.step(number).leading(paths > 0)
            paths = np.bincount(step.sources, paths[step.targets], edges.n_e).astype(np.float64)
            walked.insert(0, step)
        return cls(walked, paths)

    def subjects(self, most: int) -> tuple[Ids, int]:
        """Return where paths begin, ascending, and how many such entities there are.

        If there are more than `most` paths they are some entities, drawn at random.
        """
        every = np.flatnonzero(self.paths)
        paths = self.paths[every]
        if paths.sum() <= most:
            return every, len(every)
        few = np.random.default_rng(0).permutation(every[paths <= most])
        return np.sort(few[np.cumsum(self.paths[few]) <= most]), len(every)

    def joined(self, subjects: Ids) -> Iterator[tuple[Ids, Pairs]]:
        """Yield the subjects in parts, and the pairs joined by paths from each part.

        Only paths that visit no entity twice count. The row of a pair is its subject's place in
        the part, its column the number of the object among the last step's targets.
        """
        part = np.cumsum(self.paths[subjects]) // _PATHS_AT_ONCE
        last = self.steps[-1]
        for some in np.split(subjects, np.flatnonzero(np.diff(part)) + 1):
            row, trail = self._all_but_last(some)
            counts, targets = last.walk(trail[-1])
            keys = np.repeat(row * last.width, counts)
            keys += last.columns[targets]
            again = _visited(trail, counts, targets)
            yield some, Pairs.of(keys[~again], len(some), last.width)

    def _all_but_last(self, subjects: Ids) -> tuple[Ids, list[Ids]]:
        """Return of each path before its last step: its subject's place, and where it has been."""
        row, trail = np.arange(len(subjects)), [subjects]
        for step in self.steps[:-1]:
            counts, targets = step.walk(trail[-1])
            new = ~_visited(trail, counts, targets)
            row, *trail = (np.repeat(one, counts)[new] for one in (row, *trail))
            trail.append(targets[new])
        return row, trail


def _visited(trail: list[Ids], counts: Ids, targets: Ids) -> NDArray[np.bool_]:
    """Say which targets their paths have been at; where a path is now, no edge leads back to."""
    again = np.zeros(len(targets), dtype=np.bool_)
    for entities in trail[:-1]:
        again |= targets == np.repeat(entities, counts)
    return again
