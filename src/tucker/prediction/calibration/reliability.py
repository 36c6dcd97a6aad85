"""How well probabilities hold on a split: what was said beside how often it was so."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from tucker.graph import Split
from tucker.prediction.calibration.calibrate import calibrate
from tucker.prediction.calibration.held_out import (
    FACTS,
    HeldOutAnswers,
    held_out_answers,
    held_out_facts,
)
from tucker.prediction.chances import chances, fact_chances
from tucker.runs import FinishedRun
from tucker.runs.chance_curves import Calibration, Method

_BINS = 10

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Bin:
    """The predictions whose probability lies in one interval."""

    low: float  # where the interval begins
    high: float  # where it ends
    predictions: int  # how many lie in it
    probability: float  # the mean that was said
    true: float  # the share that was so


@dataclass(frozen=True)
class Reliability:
    """What probabilities are worth on a split: of the k best new answers to each question of it.

    Or of facts by themselves: as many of the best discovered ones as k for each fact of it.
    """

    split: Split  # that confirms or does not
    k: int  # best answers of each question
    questions: int  # for facts by themselves, the facts that the split has
    predictions: int  # that were looked at
    true: float  # share of the predictions that the split confirms
    ece: float  # expected calibration error: mean gap of the bins, by their predictions
    brier: float  # mean square of probability minus truth
    ece_of_first: float  # of the first of every k alone: the best answers, or the best facts
    bins: list[Bin]  # of equal width

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker calibrate --json` prints."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A run with its new calibration, and what that is worth on the test split."""

    run: FinishedRun  # that was calibrated
    calibration: Calibration  # what was learned
    test: Reliability | None  # None where there are no test facts
    uncalibrated: Reliability | None  # what the model's own probabilities are worth there
    facts: Reliability | None  # what those of facts by themselves are worth there

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker calibrate --json` prints."""
        return {
            "run": str(self.run.path) if self.run.path else None,
            "method": self.calibration.method,
            "curves": len(self.calibration.curves),
            "facts_fitted": self.calibration.facts is not None,
            "test": self.test.as_dict() if self.test else None,
            "uncalibrated": self.uncalibrated.as_dict() if self.uncalibrated else None,
            "facts": self.facts.as_dict() if self.facts else None,
        }


def calibrated(run: FinishedRun, method: Method = "isotonic", *, k: int = 10) -> Calibrated:
    """Calibrate a run by its validation split, and measure that on its test split."""
    calibration = calibrate(run, method)
    after = replace(run, calibration=calibration)
    if not len(run.graph.test):
        return Calibrated(after, calibration, None, None, None)
    found = held_out_answers(run, "test", top=k)
    test = measure(after, found, "test", k)
    own = measure(replace(run, calibration=None), found, "test", k)
    facts = fact_reliability(after)
    kept = {"test": test.as_dict(), "uncalibrated": own.as_dict(), "facts": facts.as_dict()}
    calibration = replace(calibration, reliability=kept)
    return Calibrated(replace(run, calibration=calibration), calibration, test, own, facts)


def reliability(run: FinishedRun, split: Split = "test", *, k: int = 10) -> Reliability:
    """Compare the probabilities that `predict` would show with what a split confirms.

    Facts of the splits before it are left out, as known ones are; its own are the truth.
    """
    return measure(run, held_out_answers(run, split, top=k), split, k)


def fact_reliability(run: FinishedRun, split: Split = "test") -> Reliability:
    """Compare the probabilities that `discover` would show with what a split confirms."""
    found = held_out_facts(run, split)
    said = fact_chances(run, torch.from_numpy(found.chances)).numpy()
    first = np.arange(len(said)) < found.held_out
    return _worth(said, found.true, first, split=split, k=FACTS, questions=found.held_out)


def measure(run: FinishedRun, found: HeldOutAnswers, split: Split, k: int) -> Reliability:
    """Compare what a run, calibrated or not, says of candidates with the truth."""
    first = found.place == 0
    odds = found.says if run.calibration is None else found.evidence
    columns = map(torch.from_numpy, (found.relation, found.closed, odds))
    said = chances(run, *columns).numpy()
    return _worth(said, found.true, first, split=split, k=k, questions=found.questions)


def _worth(
    chances: Floats, true: Truths, first: Truths, *, split: Split, k: int, questions: int
) -> Reliability:
    bins = reliability_bins(chances, true)
    return Reliability(
        split=split,
        k=k,
        questions=questions,
        predictions=len(true),
        true=float(true.sum() / max(len(true), 1)),
        ece=calibration_error(bins),
        brier=float(((chances - true) ** 2).sum() / max(len(true), 1)),
        ece_of_first=calibration_error(reliability_bins(chances[first], true[first])),
        bins=bins,
    )


def reliability_bins(chances: Floats, true: Truths, bins: int = _BINS) -> list[Bin]:
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
