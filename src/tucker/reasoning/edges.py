"""The training facts as edges that can be walked both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tucker.graph import Answers, Ids, with_reciprocals
from tucker.graph.answers import spans

_MOST_KEPT = 1 << 22  # numbers in the indices of single steps that are kept, 32 MB


@dataclass(frozen=True, eq=False)
class Edges:
    """Distinct facts and their reciprocals, without loops, by source and by step.

    A step is a relation id; those from n_r on walk a relation backwards.
    """

    n_e: int
    n_r: int
    first: Ids  # (n_e + 1,) where the edges of each source begin
    source: Ids  # (edges,) by source, then step, then target
    step: Ids  # (edges,)
    target: Ids  # (edges,)
    begin: Ids  # (2 n_r + 1,) where the edges of each step begin below
    by_step: Ids  # (edges,) their places above, by step, then source, then target

    @classmethod
    def of(cls, triples: Ids, n_e: int, n_r: int, same: Ids | None = None) -> Edges:
        """Index triples; an edge from an entity to itself leads nowhere and is left out.

        Relations that say the same may be one step: `same`, (2 n_r,), is the id that stands for
        each.
        """
        s, r, o = with_reciprocals(triples[triples[:, 0] != triples[:, 2]], n_r).T
        answers = Answers.index(s, r if same is None else same[r], o, n_e)
        sources, steps, targets = answers.facts()
        order = np.argsort(sources, kind="stable")
        by_step = np.empty_like(order)
        by_step[order] = np.arange(len(order))
        source = sources[order]
        first = np.searchsorted(source, np.arange(n_e + 1))
        begin = np.searchsorted(steps, np.arange(2 * n_r + 1))
        return cls(n_e, n_r, first, source, steps[order], targets[order], begin, by_step)

    def without(self, s: int, r: int, o: int) -> Edges:
        """Return the edges without one fact, or these edges if they do not have it."""
        gone = np.concatenate([self._places(s, r, o), self._places(o, r + self.n_r, s)])
        if not len(gone):
            return self
        kept = np.ones(len(self.step), dtype=np.bool_)
        kept[gone] = False
        entities, steps = np.arange(len(self.first)), np.arange(len(self.begin))
        return Edges(
            self.n_e,
            self.n_r,
            self.first - (entities > s) - (entities > o),
            self.source[kept],
            self.step[kept],
            self.target[kept],
            self.begin - (steps > r) - (steps > r + self.n_r),
            (np.cumsum(kept) - 1)[self.by_step[kept[self.by_step]]],
        )

    def from_one(self, entity: int) -> tuple[Ids, Ids]:
        """Return the steps and targets of the edges of an entity."""
        here = slice(self.first[entity], self.first[entity + 1])
        return self.step[here], self.target[here]

    def from_many(self, entities: Ids) -> tuple[Ids, Ids, Ids]:
        """Return the edges of some entities, flat: the row of each, its step and its target."""
        rows, places = spans(self.degree(entities), self.first[entities])
        return rows, self.step[places], self.target[places]

    def degree(self, entities: Ids) -> Ids:
        """Return how many edges each of some entities has, both ways."""
        return self.first[entities + 1] - self.first[entities]

    def count(self, entities: Ids, steps: Ids) -> Ids:
        """Return how many edges of one step each of some entities has."""
        low = self.numbers(entities, steps, 0)
        return np.searchsorted(self._key, low + self.n_e) - np.searchsorted(self._key, low)

    def has(self, sources: Ids, steps: Ids, targets: Ids) -> NDArray[np.bool_]:
        """Say of some edges whether they are there."""
        keys = self.numbers(sources, steps, targets)
        place = np.searchsorted(self._key, keys)
        return np.asarray(np.append(self._key, -1)[place] == keys)

    def backwards(self, steps: Ids) -> Ids:
        """Return the same steps walked the other way."""
        return (steps + self.n_r) % (2 * self.n_r)

    @cached_property
    def fan_out(self) -> NDArray[np.float64]:
        """How many targets a source of each step has on average, (2 n_r,)."""
        new = np.ones(len(self.step), dtype=np.bool_)
        new[1:] = (self.step[1:] != self.step[:-1]) | (self.source[1:] != self.source[:-1])
        sources = np.bincount(self.step[new], minlength=2 * self.n_r)
        return np.diff(self.begin) / np.maximum(sources, 1)

    def of_step(self, step: int) -> StepEdges:
        """Return the edges of one step; the latest that were asked for are kept."""
        return self._of_step(step)

    @cached_property
    def _of_step(self) -> Callable[[int], StepEdges]:
        @lru_cache(maxsize=max(16, _MOST_KEPT // (2 * self.n_e)))
        def indexed(step: int) -> StepEdges:
            here = self.by_step[self.begin[step] : self.begin[step + 1]]
            return StepEdges.of(self.source[here], self.target[here], self.n_e)

        return indexed

    @cached_property
    def _key(self) -> Ids:
        return self.numbers(self.source, self.step, self.target)

    def numbers(self, source: Ids, step: Ids, target: Ids | int) -> Ids:
        """Return edges as numbers that are in the order of the edges."""
        return np.asarray((source * 2 * self.n_r + step) * self.n_e + target)

    def _places(self, source: int, step: int, target: int) -> Ids:
        """Return where an edge stands, if it is there."""
        steps, targets = self.from_one(source)
        return np.flatnonzero((steps == step) & (targets == target)) + int(self.first[source])


@dataclass(frozen=True, eq=False)
class StepEdges:
    """The edges of one step by source, then target: those of i from first[i] to first[i + 1]."""

    sources: Ids  # (edges,)
    targets: Ids  # (edges,)
    first: Ids  # (n_e + 1,)

    @classmethod
    def of(cls, sources: Ids, targets: Ids, n_e: int) -> StepEdges:
        """Index edges that are in order."""
        first = np.zeros(n_e + 1, dtype=np.int64)
        np.cumsum(np.bincount(sources, minlength=n_e), out=first[1:])
        return cls(sources, targets, first)

    def leading(self, there: NDArray[np.bool_]) -> StepEdges:
        """Return only the edges whose target is one of those marked, (n_e,)."""
        kept = there[self.targets]
        if kept.all():
            return self
        return StepEdges.of(self.sources[kept], self.targets[kept], len(there))

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

    def from_many(self, entities: Ids) -> tuple[Ids, Ids]:
        """Return the edges of some entities, flat: the row of each, and its target."""
        starts = self.first[entities]
        rows, places = spans(self.first[entities + 1] - starts, starts)
        return rows, self.targets[places]
