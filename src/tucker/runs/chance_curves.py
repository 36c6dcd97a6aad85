"""From what a model says to a probability that holds: one curve a relation and side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tucker.errors import RunError, TuckerError
from tucker.graph import Graph, Ids

Floats = npt.NDArray[np.floating[Any]]
Method = Literal["isotonic", "platt"]


@dataclass(frozen=True)
class Isotonic:
    """A rising curve through knots, straight between them and level beyond them."""

    evidence: tuple[float, ...]  # ascending
    chances: tuple[float, ...]  # never falling

    def chance(self, evidence: Floats) -> Floats:
        """Return the probability that goes with some evidence."""
        return np.interp(evidence, self.evidence, self.chances)

    def evidence_for(self, chance: float) -> float:
        """Return the least evidence that gives at least this probability: inf if none does."""
        place = int(np.searchsorted(self.chances, chance))
        if place == 0:
            return -math.inf
        if place == len(self.chances):
            return math.inf
        (x, y), (x1, y1) = ((self.evidence[i], self.chances[i]) for i in (place - 1, place))
        return x + (x1 - x) * (chance - y) / (y1 - y)

    def as_dict(self) -> dict[str, Any]:
        """Return the form that a run keeps."""
        return {"evidence": list(self.evidence), "probability": list(self.chances)}


@dataclass(frozen=True)
class Platt:
    """σ(slope · evidence + intercept); with slope 1 and intercept 0, what the model says itself."""

    slope: float = 1.0
    intercept: float = 0.0

    def chance(self, evidence: Floats) -> Floats:
        """Return the probability that goes with some evidence."""
        half = np.tanh((self.slope * np.asarray(evidence) + self.intercept) / 2)
        return np.asarray((1 + half) / 2)  # σ, and never an overflow

    def evidence_for(self, chance: float) -> float:
        """Return the least evidence that gives at least this probability: inf if none does."""
        if not 0 < chance < 1:
            return -math.inf if chance <= 0 else math.inf
        return (math.log(chance / (1 - chance)) - self.intercept) / self.slope

    def as_dict(self) -> dict[str, Any]:
        """Return the form that a run keeps."""
        return {"slope": self.slope, "intercept": self.intercept}


Curve = Isotonic | Platt


@dataclass(frozen=True, eq=False)
class Calibration:
    """The curve of each relation, reciprocals included, that had enough data, and one for others.

    Curves turn evidence, the log-odds of an answer against the other candidates for its question,
    into the probability that it is right if an answer is missing at all; `openness` says of that.
    A fact by itself answers two questions: `facts` turns the lesser of the two probabilities, each
    times the chance that its question is open, into the fact's own.
    """

    method: Method
    pooled: Curve
    curves: Mapping[int, Curve]  # by relation; from n_r on, of the questions for a subject
    openness: Openness
    facts: Isotonic | None = None  # None if there was too little to fit it to
    reliability: dict[str, Any] | None = None  # what it was worth on the test split

    def curve(self, r: int) -> Curve:
        """Return the curve for the questions of a relation."""
        return self.curves.get(r, self.pooled)

    def as_dict(self, graph: Graph) -> dict[str, Any]:
        """Return the form that a run keeps, relations by name."""
        return {
            "method": self.method,
            "pooled": self.pooled.as_dict(),
            "relations": [
                {**_named(r, graph), **curve.as_dict()} for r, curve in sorted(self.curves.items())
            ],
            "questions": [
                {
                    **_named(r, graph),
                    "count": self.openness.asked[r].tolist(),
                    "open": self.openness.open[r].tolist(),
                }
                for r in range(2 * graph.n_r)
            ],
            "facts": self.facts.as_dict() if self.facts else None,
            "reliability": self.reliability,
        }

    @classmethod
    def of_dict(cls, data: Any, graph: Graph, source: str) -> Calibration:
        """Read back what `as_dict` gave; an older one has neither `facts` nor `reliability`."""
        try:
            curves = {_asked(one, graph): _curve(data["method"], one) for one in data["relations"]}
            counts = np.zeros((2, 2 * graph.n_r, CLOSED_BINS), dtype=np.int64)
            for one in data["questions"]:
                counts[:, _asked(one, graph)] = one["count"], one["open"]
            pooled = _curve(data["method"], data["pooled"])
            facts = _isotonic(data["facts"]) if data.get("facts") else None
            openness, reliability = Openness(*counts), data.get("reliability")
            return cls(data["method"], pooled, curves, openness, facts, reliability)
        except (KeyError, TypeError, ValueError, TuckerError) as error:
            raise RunError(f"{source}: is not a calibration; run tucker calibrate anew") from error


def _named(r: int, graph: Graph) -> dict[str, str]:
    asked = "object" if r < graph.n_r else "subject"
    return {"relation": graph.relations.name(r % graph.n_r), "asked": asked}


def _asked(one: dict[str, Any], graph: Graph) -> int:
    """Return the relation of a question by what it is and what is asked for."""
    return graph.relations.id(one["relation"]) + {"object": 0, "subject": graph.n_r}[one["asked"]]


def _curve(method: Method, data: dict[str, Any]) -> Curve:
    if method == "platt":
        return Platt(float(data["slope"]), float(data["intercept"]))
    return _isotonic(data)


def _isotonic(data: dict[str, Any]) -> Isotonic:
    knots = data["evidence"], data["probability"]
    return Isotonic(*(tuple(float(value) for value in values) for values in knots))


CLOSED_BINS = 7  # 0, 1, 2, 3–4, 5–8, 9–16 and more entities that are no candidates
_WEIGHT = 5.0  # questions of the other relations that count beside one's own
_ENOUGH = 20  # questions, none of them open, that say something


@dataclass(frozen=True, eq=False)
class Openness:
    """Counts of the questions that could be asked, and of those that validation answered."""

    asked: Ids  # (2 n_r, CLOSED_BINS)
    open: Ids  # (2 n_r, CLOSED_BINS)

    @cached_property
    def _chances(self) -> npt.NDArray[np.float64]:
        """The chance that a question is open: its relation's own counts, eased by the others'."""
        of_all = self.open.sum(0) / np.maximum(self.asked.sum(0), 1)  # (CLOSED_BINS,)
        return np.asarray((self.open + _WEIGHT * of_all) / (self.asked + _WEIGHT))

    def chance(self, r: Ids, closed: Ids) -> npt.NDArray[np.float64]:
        """Return how probable it is that questions have a missing answer, (n,).

        `closed`, (n,), counts the entities that are no candidates for each.
        """
        return np.asarray(self._chances[r, closed_bins(closed)])

    def plausibility(self, r: Ids, closed: Ids) -> npt.NDArray[np.float64]:
        """Return 1 for a question that may well be asked, and its chance if none such was open.

        A country that has its capital is of a kind that validation never found open.
        """
        place = r, closed_bins(closed)
        known_shut = (self.open[place] == 0) & (self.asked[place] >= _ENOUGH)
        return np.where(known_shut, self._chances[place], 1.0)


def closed_bins(closed: Ids) -> Ids:
    """Return the bin of each question by how many entities are closed: one for each doubling."""
    doublings = np.ceil(np.log2(np.maximum(closed, 1))).astype(np.int64) + 1
    return np.where(closed == 0, 0, np.minimum(doublings, CLOSED_BINS - 1))
