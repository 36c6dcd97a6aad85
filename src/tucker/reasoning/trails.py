"""Paths of up to three steps from an entity, along known facts."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from tucker.reasoning.spans import spans

LONGEST = 3  # steps
_MOST_EDGES = 1 << 14  # that one more step from one source may take; the busiest entities give way


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths, a row each, and what they are paths of: which source, which steps, where to."""

    row: Tensor  # (paths,) the place of the source among those asked for
    pattern: Tensor  # (paths,) the code of the steps
    target: Tensor  # (paths,)

    def take(self, chosen: Tensor) -> Paths:
        """Return some of the paths."""
        return Paths(self.row[chosen], self.pattern[chosen], self.target[chosen])

    def repeat(self, sources: Tensor) -> Paths:
        """Return the paths of some of the sources, each as often as it is named."""
        count = torch.bincount(self.row, minlength=int(sources.max()) + 1 if len(sources) else 0)
        row, at = spans((count.cumsum(0) - count)[sources], count[sources])
        at = torch.argsort(self.row, stable=True)[at]
        return Paths(row, self.pattern[at], self.target[at])


@dataclass(frozen=True, eq=False)
class Trails:
    """Facts and their reciprocals as edges by source; relations that say the same are one step."""

    n_e: int
    base: int  # a pattern's code has a digit of this base a step, 0 where there is none
    first: Tensor  # (n_e + 1,) where the edges of each source begin
    step: Tensor  # (edges,)
    target: Tensor  # (edges,)
    key: Tensor  # (edges,) all three in one number, ascending

    @classmethod
    def along(cls, triples: Tensor, same: Tensor, n_e: int) -> Trails:
        """Take facts, (facts, 3); `same`, (n_r,), says which relation stands for each, reciprocals
        included. An edge from an entity to itself leads nowhere and is left out.
        """
        half, n_r = len(same) // 2, len(same)
        s, r, o = triples[triples[:, 0] != triples[:, 2]].T
        source, target = torch.cat([s, o]), torch.cat([o, s])
        step = same[torch.cat([r, r + half])]
        key = torch.unique((source * n_r + step) * n_e + target)
        source, step, target = key // n_e // n_r, key // n_e % n_r, key % n_e
        first = torch.searchsorted(source, torch.arange(n_e + 1))
        return cls(n_e, n_r + 1, first, step, target, key)

    @property
    def sources(self) -> Tensor:
        """The source of each edge, (edges,)."""
        return torch.repeat_interleave(torch.arange(self.n_e), self.first.diff())

    def degree(self, entity: Tensor) -> Tensor:
        """Return how many edges each entity has."""
        return self.first[entity + 1] - self.first[entity]

    def count(self, entity: Tensor, step: Tensor) -> Tensor:
        """Return how many edges of one step each entity has."""
        key = (entity * (self.base - 1) + step) * self.n_e
        return torch.searchsorted(self.key, key + self.n_e) - torch.searchsorted(self.key, key)

    def has(self, source: Tensor, step: Tensor, target: Tensor) -> Tensor:
        """Say of some edges whether they are there."""
        key = (source * (self.base - 1) + step) * self.n_e + target
        return find(self.key, key)[1]

    def code(self, *steps: Tensor) -> Tensor:
        """Return the code of a pattern of one to three steps."""
        result = torch.zeros_like(steps[0])
        for step in steps:
            result = result * self.base + step + 1
        return result

    def paths(self, s: Tensor, hidden: tuple[Tensor, Tensor] | None = None) -> Paths:
        """Return the paths from each source that visit no entity twice.

        `hidden` are a step and a target a source, (rows,) each: that edge is not there.
        """
        row, a, x = self._edges(s)
        if hidden:
            there = (a != hidden[0][row]) | (x != hidden[1][row])
            row, a, x = row[there], a[there], x[there]
        found = [(row, self.code(a), x)]
        near = self._quiet(row, x)
        row, a, x = row[near], a[near], x[near]
        place, b, y = self._edges(x)
        row, a, x = row[place], a[place], x[place]
        new = y != s[row]
        row, a, x, b, y = (column[new] for column in (row, a, x, b, y))
        found.append((row, self.code(a, b), y))
        near = self._quiet(row, y)
        row, a, x, b, y = (column[near] for column in (row, a, x, b, y))
        place, c, z = self._edges(y)
        row, a, x, b = (column[place] for column in (row, a, x, b))
        new = (z != s[row]) & (z != x)
        found.append((row[new], self.code(a[new], b[new], c[new]), z[new]))
        return Paths(*(torch.cat(columns) for columns in zip(*found, strict=True)))

    def _edges(self, sources: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the edges of some entities, flat: the place of each source, step and target."""
        place, at = spans(self.first[sources], self.degree(sources))
        return place, self.step[at], self.target[at]

    def _quiet(self, row: Tensor, entity: Tensor) -> Tensor:
        """Return the places from which to go on: of each row, those with the fewest edges."""
        edges = self.degree(entity)
        order = torch.sort(edges, stable=True).indices
        order = order[torch.sort(row[order], stable=True).indices]
        total = edges[order].cumsum(0)
        starts = torch.searchsorted(row[order], row[order])  # where each row begins
        before = (total - edges[order])[starts]
        return order[total - before <= _MOST_EDGES]


def find(ascending: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Return where numbers stand among ascending ones, and whether they do."""
    place = torch.searchsorted(ascending, wanted)
    if not len(ascending):
        return place, torch.zeros_like(wanted, dtype=torch.bool)
    place = place.clamp(max=len(ascending) - 1)
    return place, ascending[place] == wanted
