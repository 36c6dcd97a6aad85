"""Paths of up to three steps along known facts: from some entities, between two, by a pattern.

No path visits an entity twice. Where there are too many edges, those of the busiest entities are
not walked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from tucker.graph import Ids
from tucker.graph.answers import spans
from tucker.reasoning.edges import Edges, StepEdges

LONGEST = 3  # steps
_EDGES_FROM_ONE = 1 << 14  # that one more step from one source may take
_EDGES_BETWEEN = 1 << 20  # looked at for the middle of a path, and paths put together


def code_base(n_r: int) -> int:
    """Return the base of a pattern's code: it has a digit a step, 0 where there is none."""
    return 2 * n_r + 1


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths, a row each, and what they are paths of: which source, which steps, where to."""

    row: Ids  # (paths,) the place of the source among those asked for
    pattern: Ids  # (paths,) the code of the steps
    target: Ids  # (paths,)

    def take(self, chosen: Ids | NDArray[np.bool_]) -> Paths:
        """Return some of the paths."""
        return Paths(self.row[chosen], self.pattern[chosen], self.target[chosen])

    def repeat(self, sources: Ids) -> Paths:
        """Return the paths of some of the sources, each as often as it is named."""
        count = np.bincount(self.row, minlength=int(sources.max(initial=-1)) + 1)
        rows, places = spans(count[sources], (np.cumsum(count) - count)[sources])
        places = _ascending(self.row)[places]
        return Paths(rows, self.pattern[places], self.target[places])


def paths_from(edges: Edges, s: Ids, hidden: tuple[Ids, Ids] | None = None) -> Paths:
    """Return the paths of one to three steps from each source.

    `hidden` are a step and a target a source, (rows,) each: that edge is not there.
    """
    row, pattern, trail = np.arange(len(s)), np.zeros_like(s), [s]
    found = []
    for length in range(1, LONGEST + 1):
        at, step, target = edges.from_many(trail[-1])
        new = _new(trail, at, target)
        if hidden and length == 1:
            new = (step != hidden[0][at]) | (target != hidden[1][at])
        at, step, target = at[new], step[new], target[new]
        row, pattern = row[at], pattern[at] * code_base(edges.n_r) + step + 1
        found.append((row, pattern, target))
        if length < LONGEST:
            on = _quietest(row, edges.degree(target), _EDGES_FROM_ONE)
            trail = [*(been[at[on]] for been in trail), target[on]]
            row, pattern = row[on], pattern[on]
    return Paths(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


@dataclass(frozen=True)
class PatternBetween:
    """The paths between two entities that take the same steps."""

    steps: tuple[int, ...]  # relation ids; from n_r on backwards
    paths: int
    via: tuple[int, ...]  # the entities between, on one of the paths


@dataclass(frozen=True)
class PathsBetween:
    """The patterns of the paths between two entities."""

    patterns: list[PatternBetween]
    complete: bool  # False if some paths, those through the busiest neighbours, were passed over


def paths_between(edges: Edges, s: int, o: int, without: int) -> PathsBetween:
    """Find the paths of one to three steps from s to o.

    The single step `without` is none of them: it is the fact in question. A path of three steps is
    looked for through the neighbours with the fewest edges first, until a million edges are seen.
    """
    if s == o:
        return PathsBetween([], complete=True)
    steps, targets = edges.from_one(s)
    back, sources = edges.from_one(o)
    direct = steps[(targets == o) & (steps != without)]
    near_s, near_o = targets != o, sources != s
    steps, targets = steps[near_s], targets[near_s]
    order = _ascending(sources[near_o])
    last, before = edges.backwards(back[near_o])[order], sources[near_o][order]
    begin, end, complete = _join(targets, before)
    two = [steps[begin], last[end], targets[begin]]
    three, all_seen = _three_steps(edges, (s, o), (steps, targets), (last, before))
    patterns = [
        pattern
        for length, columns in enumerate([[direct], two, three], start=1)
        for pattern in _by_pattern(columns, length, code_base(edges.n_r))
    ]
    return PathsBetween(patterns, complete and all_seen)


def _three_steps(
    edges: Edges, ends: tuple[int, int], first: tuple[Ids, Ids], last: tuple[Ids, Ids]
) -> tuple[list[Ids], bool]:
    """Return (step, step, step, a, b) of each path s → a → b → o, and whether these are all."""
    reached = np.unique(first[1])
    near = reached[_quietest(np.zeros_like(reached), edges.degree(reached), _EDGES_BETWEEN)]
    rows, step, b = edges.from_many(near)
    keep = np.isin(b, last[1]) & ~np.isin(b, ends)
    a, step, b = near[rows[keep]], step[keep], b[keep]
    order = _ascending(a)
    a, step, b = a[order], step[order], b[order]
    begin, inner, all_begun = _join(first[1], a)
    joined, end, all_ended = _join(b[inner], last[1])
    begin, inner = begin[joined], inner[joined]
    columns = [first[0][begin], step[inner], last[0][end], a[inner], b[inner]]
    return columns, len(near) == len(reached) and all_begun and all_ended


def _join(left: Ids, right: Ids) -> tuple[Ids, Ids, bool]:
    """Return where equal numbers stand in `left` and in sorted `right`, and whether all fitted."""
    low = np.searchsorted(right, left, side="left")
    counts = np.searchsorted(right, left, side="right") - low
    fit = int(np.searchsorted(np.cumsum(counts), _EDGES_BETWEEN, side="right"))
    return *spans(counts[:fit], low[:fit]), fit == len(left)


def _by_pattern(columns: list[Ids], length: int, base: int) -> list[PatternBetween]:
    """Gather paths, a row each with its steps first, by their steps."""
    code = np.zeros_like(columns[0])
    for step in columns[:length]:
        code = code * base + step + 1
    order = _ascending(code)
    starts = np.flatnonzero(np.diff(code[order], prepend=0))
    counts = np.diff(starts, append=len(code))
    one_each = np.stack([column[order[starts]] for column in columns], axis=1)
    return [
        PatternBetween(tuple(path[:length]), count, tuple(path[length:]))
        for path, count in zip(one_each.tolist(), counts.tolist(), strict=True)
    ]


@dataclass(frozen=True, eq=False)
class PatternWalks:
    """All paths of a graph that follow one pattern, and how many of them begin where."""

    steps: list[StepEdges]  # only edges that lead on to the end
    paths: NDArray[np.float64]  # (n_e,) how many begin at each entity, those with turns back too

    @classmethod
    def of(cls, edges: Edges, steps: tuple[int, ...]) -> PatternWalks:
        """Look ahead from the last step to the first."""
        walked = [edges.of_step(steps[-1])]
        paths = np.diff(walked[0].first).astype(np.float64)
        for number in reversed(steps[:-1]):
            step = edges.of_step(number).leading(paths > 0)
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

    def ends(self, subjects: Ids) -> tuple[Ids, Ids]:
        """Return the paths from some subjects, flat: the row of each, and where it ends."""
        row, trail = np.arange(len(subjects)), [subjects]
        for number, step in enumerate(self.steps, start=1):
            at, targets = step.from_many(trail[-1])
            new = _new(trail, at, targets)
            at, targets = at[new], targets[new]
            row = row[at]
            if number < len(self.steps):
                trail = [*(been[at] for been in trail), targets]
        return row, targets


def _new(trail: list[Ids], at: Ids, targets: Ids) -> Ids | slice:
    """Return which targets their paths have not been at; none is where its path is now.

    `trail` are the entities that the paths have been at, `at` says which path leads to a target.
    """
    if len(trail) == 1:
        return slice(None)
    new = targets != trail[0][at]
    for been in trail[1:-1]:
        new &= targets != been[at]
    return np.flatnonzero(new)


def _quietest(row: Ids, edges: Ids, most: int) -> Ids:
    """Return the places from which to go on: of each row those with the fewest, `most` in all."""
    order = _ascending(edges)
    order = order[_ascending(row[order])]
    total = np.cumsum(edges[order])
    starts = np.searchsorted(row[order], row[order])  # where each row begins
    before = (total - edges[order])[starts]
    return order[total - before <= most]


def _ascending(numbers: Ids) -> Ids:
    """Return the order that sorts numbers, equal ones as they stand; NumPy takes longer."""
    return torch.sort(torch.from_numpy(numbers), stable=True).indices.numpy()
