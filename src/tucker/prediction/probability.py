"""What a score says as a probability."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.runs import FinishedRun
from tucker.runs.chance_curves import Curve, Isotonic, Platt

_ALMOST_ALL = -1e-7  # the log of the largest share below 1 in single precision


def evidence(run: FinishedRun, scores: Tensor, o: Tensor | None = None) -> Tensor:
    """Turn the scores of all entities for some queries, (rows, n_e), into the model's log-odds.

    With `o`, (rows,), those of one entity a query, (rows, 1): here and below much less work.

    A model trained with the Bernoulli loss says σ(φ) of each fact by itself, as in the paper: its
    log-odds are φ. One trained with the softmax loss says how the answer is shared out among all
    entities; known answers keep their share, so that a question answered already gives little to
    new ones.
    """
    if not shares(run):
        return _of(scores, o)
    return odds_of_share(_of(scores, o) - torch.logsumexp(scores, dim=1, keepdim=True))


def evidence_among(scores: Tensor, new: Tensor, o: Tensor | None = None) -> Tensor:
    """Return the log-odds of each entity against the other candidates for its question.

    That is what scores say if just one new answer is to be found: calibration begins with it.
    """
    total = torch.logsumexp(scores.masked_fill(~new, -torch.inf), dim=1, keepdim=True)
    share = _of(scores, o) - total
    return torch.where(_of(new, o), odds_of_share(share), share)


def _of(values: Tensor, o: Tensor | None) -> Tensor:
    return values if o is None else values.gather(1, o[:, None])


def shares(run: FinishedRun) -> bool:
    """Return whether the model shares the answer out: its scores mean nothing one by one.

    Rules are learned by a softmax, so beside any model they make shares of its scores.
    """
    return bool(run.config["training"]["loss"] == "softmax" or run.config.get("rules"))


def odds_of_share(log_share: Tensor) -> Tensor:
    """Return log(p / (1 − p)) from log p."""
    log_share = log_share.clamp(max=_ALMOST_ALL)
    return log_share - torch.log(-torch.expm1(log_share))


def answer_evidence(
    run: FinishedRun, scores: Tensor, new: Tensor, o: Tensor | None = None
) -> Tensor:
    """Return the evidence that probabilities begin with, (rows, n_e); `new` says the candidates."""
    return evidence(run, scores, o) if run.calibration is None else evidence_among(scores, new, o)


def probabilities(
    run: FinishedRun, odds: Tensor, r: Tensor, new: Tensor, *, asked: bool = True
) -> Tensor:
    """Turn the evidence for answers to questions of relations r, (rows, answers), into chances.

    `new`, (rows, n_e), says which entities are candidates. Chances are calibrated where the run has
    a calibration, else they are what the model says itself.
    """
    rows = zip(r.tolist(), (~new).sum(1).tolist(), odds, strict=True)
    return torch.stack([answer_chances(run, *row, asked=asked) for row in rows])


def answer_chances(
    run: FinishedRun, r: int, closed: int, odds: Tensor, *, asked: bool = True
) -> Tensor:
    """Return the chances of some answers to one question of relation r.

    `closed` counts the entities that are no candidates for it. A question that somebody asked is
    taken to have a missing answer, unless its kind never had one. If nobody did, because the fact
    is given by itself, the chance that there is one counts as well.
    """
    chances = torch.from_numpy(curve(run, r).chance(odds.numpy())).double()
    if run.calibration is None:
        return chances
    openness = run.calibration.openness
    return chances * (openness.plausibility(r, closed) if asked else openness.chance(r, closed))


def fact_chances(run: FinishedRun, lesser: Tensor) -> Tensor:
    """Return how probable facts are by themselves, from the lesser chance of their two answers."""
    of_facts = _curve_of_facts(run)
    return torch.from_numpy(of_facts.chance(lesser.numpy())) if of_facts else lesser


def least_chance(run: FinishedRun, probability: float) -> float:
    """Return a chance below which the lesser of both sides makes no fact so probable."""
    of_facts = _curve_of_facts(run)
    return of_facts.evidence_for(probability) if of_facts else probability


def _curve_of_facts(run: FinishedRun) -> Isotonic | None:
    return run.calibration.facts if run.calibration else None


def curve(run: FinishedRun, r: int) -> Curve:
    """Return how evidence for the answers to questions of a relation becomes a probability."""
    return Platt() if run.calibration is None else run.calibration.curve(r)
