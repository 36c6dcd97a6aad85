"""Facts that follow from known ones: of relations whose pairs are nearly all another's."""

from __future__ import annotations

import numpy as np

from tucker.graph import Answers, Ids, spans

_FEWEST = 10  # pairs that two relations must share before one follows from the other


def with_implied(answers: Answers, share: float) -> Answers:
    """Return known answers together with those that follow from them.

    A relation implies another if at least this share of its pairs, and ten of them, are pairs of
    the other. Reciprocals are relations too, so inverse and symmetric ones are found as well as one
    that is part of another. Nothing follows from what followed.
    """
    s, r, o = answers.facts()
    premises, conclusions = _implications(s * answers.n_e + o, r, share)
    rows, places = _matches(r, premises)
    more = s[rows], conclusions[places], o[rows]
    s, r, o = (np.concatenate(both) for both in zip((s, r, o), more, strict=True))
    return Answers.index(s, r, o, answers.n_e)


def _implications(pairs: Ids, r: Ids, share: float) -> tuple[Ids, Ids]:
    """Return which relation implies which, the first ascending, of the pair of each fact."""
    order = np.argsort(pairs, kind="stable")
    pairs, r = pairs[order], r[order]
    rows, others = _matches(pairs, pairs)  # every two facts with one pair
    n_r = r.max() + 1
    both, shared = np.unique(r[rows] * n_r + r[others], return_counts=True)
    premises, conclusions = both // n_r, both % n_r
    enough = np.maximum(share * np.bincount(r)[premises], _FEWEST)
    holds = (shared >= enough) & (premises != conclusions)
    return premises[holds], conclusions[holds]


def _matches(wanted: Ids, keys: Ids) -> tuple[Ids, Ids]:
    """Return where wanted numbers stand among ascending keys: their rows, and all their places."""
    starts = np.searchsorted(keys, wanted, side="left")
    rows, within = spans(np.searchsorted(keys, wanted, side="right") - starts)
    return rows, starts[rows] + within
