"""Relations that imply others, and the facts that follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tucker.graph.answers import Answers, spans
from tucker.graph.graph import Graph, Ids

_FEWEST = 10  # facts that two relations must have in common before one implies the other
_AT_ONCE = 1 << 20  # facts that are set beside another of the same two entities


@dataclass(frozen=True, eq=False)
class Implications:
    """Which relation implies which, a row each; relations from n_r on are the reciprocals."""

    premises: Ids  # ascending
    conclusions: Ids
    facts: Ids  # how many the premise has, those of an entity with itself left out
    shared: Ids  # how many of these hold with the conclusion as well


def implications(answers: Answers, share: float) -> Implications:
    """Find the relations that imply others.

    Relation a implies b if at least `share` of its facts, and at least ten, hold with b as well.
    Reciprocals are relations too, so that inverse and symmetric relations are found. An entity's
    fact with itself is its own reciprocal, and says nothing.
    """
    s, r, o = answers.facts()
    s, r, o = s[s != o], r[s != o], o[s != o]
    ends = s * answers.n_e + o
    order = np.argsort(ends, kind="stable")
    premises, conclusions, shared = _together(ends[order], r[order])
    facts = np.bincount(r)[premises]
    holds = (shared / facts >= share) & (shared >= _FEWEST) & (premises != conclusions)
    return Implications(premises[holds], conclusions[holds], facts[holds], shared[holds])


def equivalent(found: Implications, n_r: int) -> Ids:
    """Return, for each of n_r relations, the first of those that imply each other with it."""
    first = np.arange(n_r)
    pairs = set(zip(found.premises.tolist(), found.conclusions.tolist(), strict=True))
    for a, b in sorted(pairs):
        if (b, a) in pairs:
            first[np.isin(first, (first[a], first[b]))] = min(first[a], first[b])
    return first


def with_implied(answers: Answers, share: float) -> Answers:
    """Return known answers and those that follow from them; nothing follows from what followed."""
    found = implications(answers, share)
    s, r, o = answers.facts()
    rows, places = _matches(r, found.premises)
    more = s[rows], found.conclusions[places], o[rows]
    s, r, o = (np.concatenate(columns) for columns in zip((s, r, o), more, strict=True))
    return Answers.index(s, r, o, answers.n_e)


def count_implied(graph: Graph, share: float) -> int:
    """Return how many facts follow from the training facts, reciprocals not counted."""
    known = Answers.of(graph.train, graph.n_e, graph.n_r)
    return (len(with_implied(known, share).objects) - len(known.objects)) // 2


def _together(ends: Ids, r: Ids) -> tuple[Ids, Ids, Ids]:
    """Count how often two relations hold between the same entities: both, ascending, and how often.

    `ends` says which two entities each fact is about, ascending. Few facts are taken at a time.
    """
    base = r.max(initial=0) + 1
    beside = np.searchsorted(ends, ends, "right") - np.searchsorted(ends, ends, "left")
    part = np.cumsum(beside) // _AT_ONCE
    codes, counts = [r[:0]], [r[:0]]
    for some in np.split(np.arange(len(r)), np.flatnonzero(np.diff(part)) + 1):
        rows, others = _matches(ends[some], ends)
        code, count = np.unique(r[some][rows] * base + r[others], return_counts=True)
        codes.append(code)
        counts.append(count)
    distinct, place = np.unique(np.concatenate(codes), return_inverse=True)
    total = np.bincount(place, np.concatenate(counts), len(distinct)).astype(np.int64)
    return distinct // base, distinct % base, total


def _matches(wanted: Ids, keys: Ids) -> tuple[Ids, Ids]:
    """Return where wanted numbers stand among ascending keys: their rows, and all their places."""
    starts = np.searchsorted(keys, wanted, side="left")
    rows, within = spans(np.searchsorted(keys, wanted, side="right") - starts)
    return rows, starts[rows] + within
