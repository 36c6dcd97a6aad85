"""What scores are worth: the share of the answer that they claim, and how often that comes true."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from tucker.runs import FinishedRun
from tucker.runs.chance_curves import Curve, Platt

_ALMOST_ALL = -1e-7  # the log of the largest share below 1 in single precision


def evidence(scores: Tensor, total: Tensor | None) -> Tensor:
    """Return the log-odds of answers from their scores, and from the log of what they share in.

    Without a total each answer is judged by itself: a model trained with the Bernoulli loss says
    σ(φ) of a fact, as in the paper, so that its log-odds are φ.
    """
    if total is None:
        return scores
    log_share = (scores - total).clamp(max=_ALMOST_ALL)
    return log_share - torch.log(-torch.expm1(log_share))  # log(p / (1 − p)) from log p


def total_of_all(run: FinishedRun, scores: Tensor) -> Tensor | None:
    """Return the log of what all answers to each question share in, (rows,), if they share it.

    A model trained with the softmax loss shares the answer out among all entities; known answers
    keep their share, so that a question answered already gives little to new ones. Rules are
    learned by a softmax, so beside any model they make shares of its scores.
    """
    if run.config["training"]["loss"] == "softmax" or run.config.get("rules"):
        return torch.logsumexp(scores, dim=1)
    return None


def total_among(scores: Tensor, new: Tensor) -> Tensor:
    """Return the log of what the candidates for each question share in, (rows,).

    That is what scores say if just one new answer is to be found: calibration begins with it.
    """
    return torch.logsumexp(scores.masked_fill(~new, -torch.inf), dim=1)


def chances(
    run: FinishedRun, r: Tensor, closed: Tensor, odds: Tensor, *, by_itself: bool = False
) -> Tensor:
    """Return the probability of answers with these log-odds to questions of relations r.

    `closed` counts the entities that are no candidates for each question; all are (n,). Chances are
    calibrated where the run is, else they are what the model says itself. A question that somebody
    asked is taken to have a missing answer, unless its kind never had one; of a fact `by_itself`
    the chance that one is missing counts as well.
    """
    found = np.empty(len(odds))
    of_relation, evidence = r.numpy(), odds.double().numpy()
    for one in np.unique(of_relation).tolist():
        rows = of_relation == one
        found[rows] = _curve(run, one).chance(evidence[rows])
    if run.calibration is not None:
        openness = run.calibration.openness
        may_be = openness.chance if by_itself else openness.plausibility
        found *= may_be(of_relation, closed.numpy())
    return torch.from_numpy(found)


def least_evidence(run: FinishedRun, r: Tensor, closed: Tensor, chance: float) -> Tensor:
    """Return the least evidence that makes a fact by itself so probable, (n,); as `chances`."""
    factor = np.ones(len(r))
    if run.calibration is not None:
        factor = run.calibration.openness.chance(r.numpy(), closed.numpy())
    kinds, which = np.unique(np.stack([r.numpy(), factor]), axis=1, return_inverse=True)
    each = [
        _curve(run, int(one)).evidence_for(chance / kind) if kind else -math.inf
        for one, kind in kinds.T.tolist()
    ]
    return torch.tensor(each, dtype=torch.float64)[torch.from_numpy(which.reshape(-1))]


def _curve(run: FinishedRun, r: int) -> Curve:
    """Return how evidence for the answers to questions of a relation becomes a probability."""
    return Platt() if run.calibration is None else run.calibration.curve(r)


def fact_chances(run: FinishedRun, lesser: Tensor) -> Tensor:
    """Return how probable facts are by themselves, from the lesser chance of their two answers."""
    of_facts = run.calibration and run.calibration.facts
    return torch.from_numpy(of_facts.chance(lesser.numpy())) if of_facts else lesser


def least_chance(run: FinishedRun, probability: float) -> float:
    """Return a chance below which the lesser of both sides makes no fact so probable."""
    of_facts = run.calibration and run.calibration.facts
    return of_facts.evidence_for(probability) if of_facts else probability
