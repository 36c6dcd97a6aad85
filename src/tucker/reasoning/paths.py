"""Short paths between two entities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from tucker.graph import Ids
from tucker.graph.answers import spans
from tucker.reasoning.edges import Edges

LONGEST = 3
_MOST_EDGES = 1 << 20  # edges looked at for the middle of a path, and paths put together


@dataclass(frozen=True)
class PatternFound:
    """The paths between two entities that take the same steps."""

    steps: tuple[int, ...]  # relation ids; from n_r on backwards
    paths: int
    via: tuple[int, ...]  # the entities between, on one of the paths


@dataclass(frozen=True)
class PathsFound:
    """The patterns of the paths between two entities."""

    patterns: list[PatternFound]
    complete: bool  # False if some paths, those through the busiest neighbours, were passed over


def find_paths(edges: Edges, s: int, o: int, without: int) -> PathsFound:
    """Find the paths of one to three steps from s to o that visit no entity twice.

    The single step `without` is none of them: it is the fact in question. A path of three steps is
    looked for through the neighbours with the fewest edges first, until a million edges are seen.
    """
    if s == o:
        return PathsFound([], complete=True)
    steps, targets = edges.from_one(s)
    back, sources = edges.from_one(o)
    direct = steps[(targets == o) & (steps != without)]
    near_s, near_o = targets != o, sources != s
    steps, targets = steps[near_s], targets[near_s]
    order = np.argsort(sources[near_o], kind="stable")
    last, before = edges.backwards(back[near_o])[order], sources[near_o][order]
    begin, end, complete = _join(targets, before)
    two = np.stack([steps[begin], last[end], targets[begin]], axis=1)
    three, all_seen = _three_steps(edges, (s, o), (steps, targets), (last, before))
    patterns = [
        *_patterns(direct[:, None], 1, 2 * edges.n_r),
        *_patterns(two, 2, 2 * edges.n_r),
        *_patterns(three, LONGEST, 2 * edges.n_r),
    ]
    return PathsFound(patterns, complete and all_seen)


def _three_steps(
    edges: Edges, ends: tuple[int, int], first: tuple[Ids, Ids], last: tuple[Ids, Ids]
) -> tuple[Ids, bool]:
    """Return (step, step, step, a, b) of each path s → a → b → o, and whether these are all."""
    reached = np.unique(first[1])
    reached = reached[np.argsort(edges.degrees(reached), kind="stable")]
    looked_at = np.searchsorted(np.cumsum(edges.degrees(reached)), _MOST_EDGES, side="right")
    near = reached[:looked_at]
    rows, steps, targets = edges.from_many(near)
    keep = np.isin(targets, last[1]) & ~np.isin(targets, ends)
    a, step, b = near[rows[keep]], steps[keep], targets[keep]
    order = np.argsort(a, kind="stable")
    a, step, b = a[order], step[order], b[order]
    begin, inner, all_begun = _join(first[1], a)
    joined, end, all_ended = _join(b[inner], last[1])
    begin, inner = begin[joined], inner[joined]
    columns = [first[0][begin], step[inner], last[0][end], a[inner], b[inner]]
    complete = len(near) == len(reached) and all_begun and all_ended
    return np.stack(columns, axis=1), complete


def _join(left: Ids, right: Ids) -> tuple[Ids, Ids, bool]:
    """Return where equal numbers stand in `left` and in sorted `right`, and whether all fitted."""
    low = np.searchsorted(right, left, side="left")
    counts = np.searchsorted(right, left, side="right") - low
    fit = np.searchsorted(np.cumsum(counts), _MOST_EDGES, side="right")
    low, counts = low[:fit], counts[:fit]
    rows, within = spans(counts)
    return rows, low[rows] + within, int(fit) == len(left)


def _patterns(paths: Ids, length: int, n_steps: int) -> list[PatternFound]:
    """Gather paths, a row each with its steps first, by their steps."""
    if not len(paths):
        return []
    keys = np.ravel_multi_index(tuple(paths[:, :length].T), (n_steps,) * length)
    ordered, order = torch.sort(torch.from_numpy(keys), stable=True)  # NumPy takes thrice as long
    starts = np.flatnonzero(np.diff(ordered.numpy(), prepend=-1))
    counts = np.diff(starts, append=len(paths))
    one_each = paths[order.numpy()[starts]]
    return [
        PatternFound(tuple(path[:length]), count, tuple(path[length:]))
        for path, count in zip(one_each.tolist(), counts.tolist(), strict=True)
    ]
