"""How well probabilities hold on a split: what was said beside how often it was so."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tucker.graph import Split
from tucker.prediction.calibrate import calibrate
from tucker.prediction.candidates import Candidates, candidates
from tucker.runs import SavedRun
from tucker.runs.calibration import Calibration, Method, Platt

_BINS = 10


@dataclass(frozen=True)
class Bin:
    """The predictions whose probability lies in one interval."""

    low: float
    high: float
    predictions: int
    probability: float  # the mean that was said
    true: float  # the share that was so


@dataclass(frozen=True)
class Reliability:
    """What the probabilities of the k best new answers to each question of a split are worth."""

    split: Split
    k: int
    questions: int
    predictions: int
    true: float  # share of the predictions that the split confirms
    ece: float  # expected calibration error: mean gap of the bins, by their predictions
    brier: float  # mean square of probability minus truth
    ece_of_first: float  # of the best answer to each question alone
    bins: list[Bin]

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker calibrate --json` prints."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A run with its new calibration, and what that is worth on the test split."""

    run: SavedRun
    calibration: Calibration
    test: Reliability | None  # None where there are no test facts
    uncalibrated: Reliability | None  # what the model's own probabilities are worth there

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker calibrate --json` prints."""
        return {
            "run": str(self.run.path) if self.run.path else None,
            "method": self.calibration.method,
            "curves": len(self.calibration.curves),
            "test": self.test.as_dict() if self.test else None,
            "uncalibrated": self.uncalibrated.as_dict() if self.uncalibrated else None,
        }


def calibrated(run: SavedRun, method: Method = "isotonic", *, k: int = 10) -> Calibrated:
    """Calibrate a run by its validation split, and measure that on its test split."""
    calibration = calibrate(run, method)
    after = replace(run, calibration=calibration)
    if not len(run.graph.test):
        return Calibrated(after, calibration, None, None)
    found = candidates(run, "test", top=k)
    before = replace(run, calibration=None)
    measured = (measure(one, found, "test", k) for one in (after, before))
    return Calibrated(after, calibration, *measured)


def reliability(run: SavedRun, split: Split = "test", *, k: int = 10) -> Reliability:
    """Compare the probabilities that `predict` would show with what a split confirms.

    Facts of the splits before it are left out, as known ones are; its own are the truth.
    """
    return measure(run, candidates(run, split, top=k), split, k)


def measure(run: SavedRun, found: Candidates, split: Split, k: int) -> Reliability:
    """Compare what a run, calibrated or not, says of candidates with the truth."""
    chances = _chances(run, found)
    bins = reliability_bins(chances, found.true)
    first = found.place == 0
    return Reliability(
        split=split,
        k=k,
        questions=found.questions,
        predictions=len(found.true),
        true=float(found.true.mean()),
        ece=calibration_error(bins),
        brier=float(((chances - found.true) ** 2).mean()),
        ece_of_first=calibration_error(reliability_bins(chances[first], found.true[first])),
        bins=bins,
    )


def _chances(run: SavedRun, found: Candidates) -> npt.NDArray[np.float64]:
    if run.calibration is None:
        return Platt().chance(found.says).astype(np.float64)
    chances = np.empty(len(found.true))
    for r in np.unique(found.relation).tolist():
        rows = found.relation == r
        counts, which = np.unique(found.closed[rows], return_inverse=True)
        may_be = [run.calibration.openness.plausibility(r, closed) for closed in counts.tolist()]
        chances[rows] = run.calibration.curve(r).chance(found.evidence[rows])
        chances[rows] *= np.array(may_be)[which]
    return chances


def reliability_bins(
    chances: npt.NDArray[np.float64], true: npt.NDArray[np.bool_], bins: int = _BINS
) -> list[Bin]:
    """Gather predictions by their probability in intervals of equal width; leave out empty ones."""
    bin = np.clip((chances * bins).astype(np.int64), 0, bins - 1)
    count, said, was = (np.bincount(bin, x, minlength=bins) for x in (None, chances, true))
    return [
        Bin(i / bins, (i + 1) / bins, int(count[i]), said[i] / count[i], was[i] / count[i])
        for i in np.flatnonzero(count).tolist()
    ]


def calibration_error(bins: list[Bin]) -> float:
    """Return the mean gap between what was said and what was so, each prediction counting once."""
    total = sum(bin.predictions for bin in bins)
    return sum(bin.predictions * abs(bin.probability - bin.true) for bin in bins) / max(total, 1)
