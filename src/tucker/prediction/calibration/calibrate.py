"""Curves from evidence to probability, learned from the validation split."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tucker.errors import TuckerError
from tucker.extras import require
from tucker.graph import Answers, Graph
from tucker.graph.schema.types import Kinds, loops
from tucker.prediction.calibration.fit import Outcomes, count, isotonic, platt
from tucker.prediction.calibration.held_out import fact_curve, held_out_answers
from tucker.runs import FinishedRun
from tucker.runs.chance_curves import CLOSED_BINS, Calibration, Method, Openness, closed_bins

_TOP = 100  # candidates of a question that are all taken
_SAMPLED = 50  # that stand for the rest
_ENOUGH = 100  # true answers for a curve of one's own


def calibrate(run: FinishedRun, method: Method = "isotonic", *, seed: int = 0) -> Calibration:
    """Learn how often candidates with some evidence are true from the validation split.

    A relation and side with enough true answers there gets a curve; one serves all others. One
    more, for facts by themselves, is fitted to those that discovery finds with these.
    """
    require("calibration")
    found = held_out_answers(run, "valid", top=_TOP, sampled=_SAMPLED, seed=seed)
    unseen = len(run.graph.test) / len(run.graph.valid)
    fit = {"isotonic": isotonic, "platt": platt}[method]
    everything = Outcomes(found.evidence.astype(np.float64), found.true, found.shared, found.weight)
    pooled = fit(count(everything, unseen))
    if pooled is None:
        raise TuckerError(
            f"on the validation split of {run.graph.name}, better scores do not mean more true "
            "answers: train the model better before calibrating"
        )
    curves = {}
    for r in np.flatnonzero(np.bincount(found.relation[found.true]) >= _ENOUGH):
        of_relation = Outcomes(*(column[found.relation == r] for column in everything))
        curve = fit(count(of_relation, unseen))
        if curve is not None:
            curves[int(r)] = curve
    of_answers = Calibration(method, pooled, curves, count_questions(run.graph))
    curve_of_facts = fact_curve(replace(run, calibration=of_answers), seed=seed)
    return replace(of_answers, facts=curve_of_facts)


def count_questions(graph: Graph) -> Openness:
    """Count the questions that could be asked, and those that the validation split answers."""
    truth = Answers.of(graph.valid, graph.n_e, graph.n_r)
    known = Answers.of(graph.train, graph.n_e, graph.n_r)
    itself, of_role = ~np.tile(loops(graph), 2), Kinds(graph)
    asked, open = np.zeros((2, 2 * graph.n_r, CLOSED_BINS), dtype=np.int64)
    for r in range(2 * graph.n_r):
        s = of_role.entities_of(r)
        pairs = s, np.full_like(s, r)
        closed = np.bincount(known.find(*pairs)[0], minlength=len(s)) + itself[r]
        answered = np.bincount(truth.find(*pairs)[0], minlength=len(s)) > 0
        asked[r] = np.bincount(closed_bins(closed), minlength=CLOSED_BINS)
        open[r] = np.bincount(closed_bins(closed[answered]), minlength=CLOSED_BINS)
    return Openness(asked, open)
