"""Curves from evidence to probability, learned from the validation split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tucker.errors import ExtraError, TuckerError
from tucker.graph import Answers, Graph
from tucker.prediction.candidates import candidates
from tucker.prediction.plausible import Kinds, loops
from tucker.runs import SavedRun
from tucker.runs.calibration import Calibration, Isotonic, Method, Platt
from tucker.runs.openness import KINDS, Openness, kinds

_TOP = 100  # candidates of a question that are all taken
_SAMPLED = 50  # that stand for the rest
_ENOUGH = 100  # true answers for a curve of one's own
_BINS = 50  # at equal numbers of true answers, and as many at equal numbers of candidates

Floats = npt.NDArray[np.float64]


def calibrate(run: SavedRun, method: Method = "isotonic", *, seed: int = 0) -> Calibration:
    """Learn how often candidates with some evidence are true from the validation split.

    A relation and side with enough true answers there gets a curve; one serves all others.
    """
    _require_sklearn()
    found = candidates(run, "valid", top=_TOP, sampled=_SAMPLED, seed=seed)
    unseen = len(run.graph.test) / len(run.graph.valid)
    fit = {"isotonic": isotonic, "platt": _platt}[method]
    everything = Found(found.evidence.astype(np.float64), found.true, found.shared, found.weight)
    pooled = fit(count(everything, unseen))
    if pooled is None:
        raise TuckerError(
            f"the validation split of {run.graph.name} does not bear this model out at all: more "
            "evidence does not go with more true answers; train it better before calibrating"
        )
    curves = {}
    for r in np.flatnonzero(np.bincount(found.relation[found.true]) >= _ENOUGH):
        of_relation = Found(*(column[found.relation == r] for column in everything))
        curve = fit(count(of_relation, unseen))
        if curve is not None:
            curves[int(r)] = curve
    return Calibration(method, pooled, curves, count_questions(run.graph))


def count_questions(graph: Graph) -> Openness:
    """Count the questions that could be asked, and those that the validation split answers."""
    truth = Answers.of(graph.valid, graph.n_e, graph.n_r)
    known = Answers.of(graph.train, graph.n_e, graph.n_r)
    itself = ~loops(graph)
    asked, open = np.zeros((2, 2 * graph.n_r, KINDS), dtype=np.int64)
    for side, of_side in enumerate((Kinds.of_subjects(graph), Kinds.of_objects(graph))):
        for r in range(graph.n_r):
            s = of_side.plausible(r)
            pairs = s, np.full_like(s, r + side * graph.n_r)
            closed = np.bincount(known.find(*pairs)[0], minlength=len(s)) + itself[r]
            answered = np.bincount(truth.find(*pairs)[0], minlength=len(s)) > 0
            place = r + side * graph.n_r
            asked[place] = np.bincount(kinds(closed), minlength=KINDS)
            open[place] = np.bincount(kinds(closed[answered]), minlength=KINDS)
    return Openness(asked, open)


class Found(NamedTuple):
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


def count(found: Found, unseen: float) -> Counts:
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


def _platt(counts: Counts) -> Platt | None:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - an extra

    x = np.concatenate([counts.evidence, counts.evidence])[:, None]
    labels = np.repeat([1, 0], len(counts.evidence))
    line = LogisticRegression(C=1e6, max_iter=1000)
    line.fit(x, labels, sample_weight=np.concatenate([counts.true, counts.false]))
    slope, intercept = float(line.coef_[0, 0]), float(line.intercept_[0])
    return Platt(slope, intercept) if slope > 0 else None


def _require_sklearn() -> None:
    try:
        import sklearn  # noqa: F401, PLC0415 - an extra
    except ImportError:
        message = "calibration needs scikit-learn: pip install 'tucker[calibration]'"
        raise ExtraError(message) from None
