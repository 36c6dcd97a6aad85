"""Messages along edges: what each entity that a question has reached hears from its neighbours.

The loops over edges are compiled. Each question is worked on by one thread, in the order of its
edges, so that sums repeat to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numba import njit
from numpy.typing import NDArray
from torch import Tensor

from tucker.graph import Ids
from tucker.reasoning.edges import Edges
from tucker.workers import cut, share

_NOT_THERE = -1
_QUESTIONS = 8  # whose messages a thread sends before it takes more

Truths = NDArray[np.bool_]
Rows = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Reach:
    """The entities that some questions have reached: a row each, question by question."""

    entity: Rows  # (rows,)
    start: Ids  # (questions + 1,) where the rows of each question begin

    @classmethod
    def of(cls, s: Tensor) -> Reach:
        """Begin at one entity a question."""
        return cls(s.numpy().astype(np.int32), np.arange(len(s) + 1))

    def questions(self) -> Tensor:
        """Return the question of each row, (rows,)."""
        counts = torch.from_numpy(np.diff(self.start))
        return torch.repeat_interleave(torch.arange(len(counts)), counts)

    def entities(self) -> Tensor:
        """Return the entity of each row, (rows,)."""
        return torch.from_numpy(self.entity).long()

    def best(self, priority: Tensor, most: int) -> Tensor:
        """Return the rows with the highest priority, at most so many of each question, in order."""
        row = self.questions()
        order = torch.argsort(priority, descending=True, stable=True)
        order = order[torch.sort(row[order], stable=True).indices]
        within = torch.arange(len(row)) - torch.from_numpy(self.start)[row]
        return order[within < most].sort().values

    def take(self, rows: Tensor) -> Reach:
        """Return some of the rows, which are in order."""
        counts = np.bincount(self.questions()[rows].numpy(), minlength=len(self.start) - 1)
        return Reach(self.entity[rows.numpy()], np.append(0, np.cumsum(counts)))

    def within(self, further: Reach) -> Tensor:
        """Return the rows that these have in a further reach, where each question's come first."""
        moved = further.start[:-1] - self.start[:-1]
        return torch.arange(len(self.entity)) + torch.from_numpy(moved)[self.questions()]


@dataclass(frozen=True, eq=False)
class Links:
    """Edges as the loops read them: by entity, from where one hears along which step."""

    edges: Edges
    step: Rows  # (edges,)
    target: Rows  # (edges,)
    twin: Ids  # (edges,) the place of each edge walked the other way
    keys: Ids  # (edges,) ascending

    @classmethod
    def of(cls, edges: Edges) -> Links:
        """Take over edges, which hold every fact both ways."""
        keys = edges.numbers(edges.source, edges.step, edges.target)
        back = edges.numbers(edges.target, edges.backwards(edges.step), edges.source)
        step, target = (column.astype(np.int32) for column in (edges.step, edges.target))
        return cls(edges, step, target, np.searchsorted(keys, back), keys)

    def __len__(self) -> int:
        return len(self.step)

    @property
    def n_e(self) -> int:
        """How many entities there are."""
        return self.edges.n_e

    @property
    def first(self) -> Ids:
        """Where the edges of each entity begin, (n_e + 1,)."""
        return self.edges.first

    def find(self, s: Ids, r: Ids, o: Ids) -> Ids:
        """Return the places of the edges of some facts, if they have one."""
        wanted = self.edges.numbers(s, r, o)
        places = np.minimum(np.searchsorted(self.keys, wanted), max(len(self.keys) - 1, 0))
        return places[self.keys[places] == wanted] if len(self.keys) else places[:0]

    def grown(self, reach: Reach, kept: Truths) -> Reach:
        """Return the entities reached and all their neighbours, along the edges that are kept."""
        questions = len(reach.start) - 1
        degree = np.diff(self.first)
        most = np.add.reduceat(degree[reach.entity] + 1, reach.start[:-1])
        entity = np.empty(int(np.minimum(most, self.n_e).sum()), dtype=np.int32)
        start, seen = np.zeros(questions + 1, dtype=np.int64), np.zeros(self.n_e, dtype=np.bool_)
        rows = _grow(self.first, self.target, kept, reach.entity, reach.start, seen, entity, start)
        return Reach(entity[:rows], start)


def heard(h: Tensor, w: Tensor, links: Links, kept: Truths, near: Reach, far: Reach) -> Tensor:
    """Return Σ h_u ⊙ w_br over the kept edges from near u to each row of `far`, (rows, d).

    `h`, (rows of near, d), is what has been reached so far; `w`, (questions, steps, d), is what a
    step does to it in each question b. A step is named as it is walked from the row that hears.
    """
    apply = cast("Callable[..., Tensor]", _Heard.apply)
    return apply(h, w, links, kept, near, far)


class _Heard(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, h: Tensor, w: Tensor, links: Links, kept: Truths, near: Reach, far: Reach
    ) -> Tensor:
        arrays = _array(h), _array(w)
        out = np.zeros((len(far.entity), h.shape[1]), dtype=np.float32)
        _in_threads(_send, links, kept, near, far, *arrays, out)
        ctx.given = arrays, links, kept, near, far
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        (h, w), links, kept, near, far = ctx.given
        grad_h, grad_w = np.zeros_like(h), np.zeros_like(w)
        _in_threads(_send_back, links, kept, near, far, h, w, _array(gradient), grad_h, grad_w)
        return torch.from_numpy(grad_h), torch.from_numpy(grad_w), None, None, None, None


def _array(x: Tensor) -> NDArray[np.float32]:
    return np.asarray(x.detach().contiguous().numpy())


def _in_threads(
    loop: Any, links: Links, kept: Truths, near: Reach, far: Reach, *arrays: Any
) -> None:
    def work(_: int, slices: Sequence[slice]) -> None:
        place = np.full(links.n_e, _NOT_THERE, dtype=np.int32)
        for some in slices:
            loop(
                some.start, some.stop, links.first, links.step, links.target, kept,
                near.entity, near.start, far.entity, far.start, place, *arrays,
            )  # fmt: skip

    share(work, cut(len(near.start) - 1, _QUESTIONS))


@njit(nogil=True, cache=True)
def _grow(first, target, kept, near, near_start, seen, far, far_start):  # type: ignore[no-untyped-def]
    rows = 0
    for b in range(len(near_start) - 1):
        begin = rows
        for i in range(near_start[b], near_start[b + 1]):
            seen[near[i]] = True
            far[rows] = near[i]
            rows += 1
        for i in range(near_start[b], near_start[b + 1]):
            for e in range(first[near[i]], first[near[i] + 1]):
                if kept[e] and not seen[target[e]]:
                    seen[target[e]] = True
                    far[rows] = target[e]
                    rows += 1
        for i in range(begin, rows):
            seen[far[i]] = False
        far_start[b + 1] = rows
    return rows


@njit(nogil=True, cache=True, fastmath=True)
def _send(b0, b1, first, step, target, kept, near, near_start, far, far_start, place, h, w, out):  # type: ignore[no-untyped-def]
    d = h.shape[1]
    for b in range(b0, b1):
        for i in range(near_start[b], near_start[b + 1]):
            place[near[i]] = i
        for j in range(far_start[b], far_start[b + 1]):
            for e in range(first[far[j]], first[far[j] + 1]):
                i = place[target[e]]
                if kept[e] and i >= 0:
                    for k in range(d):
                        out[j, k] += h[i, k] * w[b, step[e], k]
        for i in range(near_start[b], near_start[b + 1]):
            place[near[i]] = -1


@njit(nogil=True, cache=True, fastmath=True)
def _send_back(  # type: ignore[no-untyped-def]
    b0, b1, first, step, target, kept, near, near_start, far, far_start, place, h, w, g, gh, gw
):
    d = h.shape[1]
    for b in range(b0, b1):
        for i in range(near_start[b], near_start[b + 1]):
            place[near[i]] = i
        for j in range(far_start[b], far_start[b + 1]):
            for e in range(first[far[j]], first[far[j] + 1]):
                i = place[target[e]]
                if kept[e] and i >= 0:
                    r = step[e]
                    for k in range(d):
                        gh[i, k] += g[j, k] * w[b, r, k]
                        gw[b, r, k] += g[j, k] * h[i, k]
        for i in range(near_start[b], near_start[b + 1]):
            place[near[i]] = -1
