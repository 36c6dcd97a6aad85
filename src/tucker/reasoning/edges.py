"""The training facts as edges that can be walked both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tucker.graph import Answers, Ids
from tucker.graph.answers import spans
from tucker.reasoning.step import Step

_MOST_KEPT = 1 << 22  # numbers in the indices of single steps that are kept, 32 MB


@dataclass(frozen=True, eq=False)
class Edges:
    """Distinct facts and their reciprocals, without loops, by step and by source.

    A step is a relation id; those from n_r on walk a relation backwards.
    """

    n_e: int
    n_r: int
    begin: Ids  # (2 n_r + 1,) where the edges of each step begin
    sources: Ids  # (edges,) by step, then source, then target
    targets: Ids  # (edges,) by the same
    first: Ids  # (n_e + 1,) where the edges of each source begin
    steps_from: Ids  # (edges,) by source
    targets_from: Ids  # (edges,) by source

    @classmethod
    def of(cls, triples: Ids, n_e: int, n_r: int) -> Edges:
        """Index triples; an edge from an entity to itself leads nowhere and is left out."""
        answers = Answers.of(triples[triples[:, 0] != triples[:, 2]], n_e, n_r)
        sources, steps, targets = answers.facts()
        begin = np.searchsorted(steps, np.arange(2 * n_r + 1))
        order = np.argsort(sources, kind="stable")
        first = np.searchsorted(sources[order], np.arange(n_e + 1))
        return cls(n_e, n_r, begin, sources, targets, first, steps[order], targets[order])

    def without(self, s: int, r: int, o: int) -> Edges:
        """Return the edges without one fact, or these edges if they do not have it."""
        both_ways = ((s, r, o), (o, r + self.n_r, s))
        by_step = [place for edge in both_ways for place in self._among_step(*edge)]
        if not by_step:
            return self
        by_source = [place for edge in both_ways for place in self._among_source(*edge)]
        steps, entities = np.arange(len(self.begin)), np.arange(len(self.first))
        return Edges(
            self.n_e,
            self.n_r,
            self.begin - (steps > r) - (steps > r + self.n_r),
            np.delete(self.sources, by_step),
            np.delete(self.targets, by_step),
            self.first - (entities > s) - (entities > o),
            np.delete(self.steps_from, by_source),
            np.delete(self.targets_from, by_source),
        )

    def step(self, step: int) -> Step:
        """Return the edges of one step; the latest that were asked for are kept."""
        return self._step(step)

    @cached_property
    def fan_out(self) -> NDArray[np.float64]:
        """How many targets a source of each step has on average, (2 n_r,)."""
        steps = np.repeat(np.arange(2 * self.n_r), np.diff(self.begin))
        new = np.ones(len(steps), dtype=np.bool_)
        new[1:] = (steps[1:] != steps[:-1]) | (self.sources[1:] != self.sources[:-1])
        sources = np.bincount(steps[new], minlength=2 * self.n_r)
        return np.diff(self.begin) / np.maximum(sources, 1)

    def backwards(self, steps: Ids) -> Ids:
        """Return the same steps walked the other way."""
        return (steps + self.n_r) % (2 * self.n_r)

    def from_one(self, entity: int) -> tuple[Ids, Ids]:
        """Return the steps and targets of the edges of an entity."""
        here = slice(self.first[entity], self.first[entity + 1])
        return self.steps_from[here], self.targets_from[here]

    def degrees(self, entities: Ids) -> Ids:
        """Return how many edges each of some entities has, both ways."""
        return self.first[entities + 1] - self.first[entities]

    def from_many(self, entities: Ids) -> tuple[Ids, Ids, Ids]:
        """Return the edges of some entities, flat: the row of each, its step and its target."""
        rows, within = spans(self.degrees(entities))
        places = self.first[entities][rows] + within
        return rows, self.steps_from[places], self.targets_from[places]

    @cached_property
    def _step(self) -> Callable[[int], Step]:
        @lru_cache(maxsize=max(16, _MOST_KEPT // (2 * self.n_e)))
        def indexed(step: int) -> Step:
            here = slice(self.begin[step], self.begin[step + 1])
            return Step.of(self.sources[here], self.targets[here], self.n_e)

        return indexed

    def _among_step(self, source: int, step: int, target: int) -> list[int]:
        """Return where an edge stands among those by step, if it is there."""
        low, high = self.begin[step], self.begin[step + 1]
        is_it = (self.sources[low:high] == source) & (self.targets[low:high] == target)
        return [int(place) for place in low + np.flatnonzero(is_it)]

    def _among_source(self, source: int, step: int, target: int) -> list[int]:
        """Return where an edge stands among those by source, if it is there."""
        low, high = self.first[source], self.first[source + 1]
        is_it = (self.steps_from[low:high] == step) & (self.targets_from[low:high] == target)
        return [int(place) for place in low + np.flatnonzero(is_it)]
