"""Curves fitted to how many candidates came true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tucker.runs.chance_curves import Isotonic, Platt

_BINS = 50  # at equal numbers of true answers, and as many at equal numbers of candidates

Floats = npt.NDArray[np.float64]


class Outcomes(NamedTuple):
    """Answers or facts that may be true."""

    evidence: Floats
    true: npt.NDArray[np.bool_]  # whether validation has it
    shared: npt.NDArray[np.bool_]  # whether that tells of test facts that would be found beside it
    weight: Floats  # how many it stands for


@dataclass(frozen=True, eq=False)
class Counts:
    """How many candidates are true and how many false, by evidence."""

    evidence: Floats  # (bins,) ascending
    true: Floats
    false: Floats


def count(found: Outcomes, unseen: float) -> Counts:
    """Count the candidates in bins of evidence.

    Among those that validation does not confirm are facts of the test split, which will not be
    false when it is their turn. Whether a held-out fact is held out for validation or for test, it
    has another answer to its question in the validation split as often: so the validation facts
    that have one, times the ratio of the splits' sizes, are taken off. No test fact is looked at.
    """
    evidence, true, shared, weight = found
    points = np.linspace(0, 1, _BINS + 1)[1:-1]
    edges = np.unique(
        np.concatenate([np.quantile(x, points) for x in (evidence[true], evidence) if len(x)])
    )
    bin = np.searchsorted(edges, evidence, side="right")

    def add(values: Floats) -> Floats:
        return np.bincount(bin, values, minlength=len(edges) + 1).astype(np.float64)

    counted, hits = add(weight), add(weight * true)
    false = np.maximum(counted - hits - unseen * add(weight * shared), 0)
    middle = add(weight * evidence) / np.maximum(counted, 1e-300)
    filled = hits + false > 0
    return Counts(middle[filled], hits[filled], false[filled])


def isotonic(counts: Counts) -> Isotonic | None:
    """Fit a rising curve, or None if more evidence does not go with more that is true."""
    from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415 - an extra

    total = counts.true + counts.false
    rising = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    rising.fit(counts.evidence, counts.true / total, sample_weight=total)
    if rising.y_thresholds_[0] == rising.y_thresholds_[-1]:
        return None
    return Isotonic(
        tuple(map(float, rising.X_thresholds_)), tuple(map(float, rising.y_thresholds_))
    )


def platt(counts: Counts) -> Platt | None:
    """Fit σ(a x + b), or None if more evidence does not go with more that is true."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - an extra

    x = np.concatenate([counts.evidence, counts.evidence])[:, None]
    labels = np.repeat([1, 0], len(counts.evidence))
    line = LogisticRegression(C=1e6, max_iter=1000)
    line.fit(x, labels, sample_weight=np.concatenate([counts.true, counts.false]))
    slope, intercept = float(line.coef_[0, 0]), float(line.intercept_[0])
    return Platt(slope, intercept) if slope > 0 else None
