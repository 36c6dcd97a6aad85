"""Facts that follow from known ones: of relations whose pairs are nearly all another's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tucker.graph.answers import Answers
from tucker.graph.graph import Ids
from tucker.graph.spans import spans

_FEWEST = 10  # pairs that two relations must share before one follows from the other


@dataclass(frozen=True, eq=False)
class Implications:
    """Which relation implies which, and on what evidence; a row an implication."""

    premises: Ids  # ascending; relations from n_r on are the reciprocals
    conclusions: Ids
    pairs: Ids  # that the first relation has
    shared: Ids  # that the second has of them


def implications(answers: Answers, share: float) -> Implications:
    """Find the relations of whose pairs at least this share, and ten, are pairs of another.

    Reciprocals are relations too: inverse and symmetric ones are found as well as one that is part
    of another.
    """
    s, r, o = answers.facts()
    pairs = s * answers.n_e + o
    order = np.argsort(pairs, kind="stable")
    pairs, r = pairs[order], r[order]
    rows, others = _matches(pairs, pairs)  # every two facts with one pair
    n_r = r.max(initial=0) + 1
    both, shared = np.unique(r[rows] * n_r + r[others], return_counts=True)
    premises, conclusions = both // n_r, both % n_r
    of_premise = np.bincount(r)[premises]
    holds = shared >= np.maximum(share * of_premise, _FEWEST)
    holds &= premises != conclusions
    return Implications(premises[holds], conclusions[holds], of_premise[holds], shared[holds])


def with_implied(answers: Answers, share: float) -> Answers:
    """Return known answers and those that follow from them; from these nothing follows."""
    found = implications(answers, share)
    s, r, o = answers.facts()
    rows, places = _matches(r, found.premises)
    more = s[rows], found.conclusions[places], o[rows]
    s, r, o = (np.concatenate(both) for both in zip((s, r, o), more, strict=True))
    return Answers.index(s, r, o, answers.n_e)


def _matches(wanted: Ids, keys: Ids) -> tuple[Ids, Ids]:
    """Return where wanted numbers stand among ascending keys: their rows, and all their places."""
    starts = np.searchsorted(keys, wanted, side="left")
    rows, within = spans(np.searchsorted(keys, wanted, side="right") - starts)
    return rows, starts[rows] + within
