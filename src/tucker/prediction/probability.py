"""What a score says as a probability."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.runs import SavedRun
from tucker.runs.calibration import Curve, Platt

_ALMOST_ALL = -1e-7  # the log of the largest share below 1 in single precision


def evidence(run: SavedRun, scores: Tensor, o: Tensor | None = None) -> Tensor:
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


def shares(run: SavedRun) -> bool:
    """Return whether the model shares the answer out: its scores mean nothing one by one."""
    return bool(run.config["training"]["loss"] == "softmax")


def odds_of_share(log_share: Tensor) -> Tensor:
    """Return log(p / (1 − p)) from log p."""
    log_share = log_share.clamp(max=_ALMOST_ALL)
    return log_share - torch.log(-torch.expm1(log_share))


def probabilities(
    run: SavedRun, scores: Tensor, r: Tensor, new: Tensor, o: Tensor | None = None
) -> Tensor:
    """Turn the scores of all entities for some queries of relations r, (rows, n_e), into chances.

    `new` says which entities are candidates. Chances are calibrated where the run has a
    calibration, else they are what the model says itself.
    """
    odds = answer_evidence(run, scores, new, o)
    if run.calibration is None:
        return torch.sigmoid(odds)
    found = zip(r.tolist(), (~new).sum(1).tolist(), odds, strict=True)
    return torch.stack([answer_chances(run, *row) for row in found])


def answer_evidence(run: SavedRun, scores: Tensor, new: Tensor, o: Tensor | None = None) -> Tensor:
    """Return the evidence that `answer_chances` wants, (rows, n_e)."""
    return evidence(run, scores, o) if run.calibration is None else evidence_among(scores, new, o)


def answer_chances(run: SavedRun, r: int, closed: int, odds: Tensor) -> Tensor:
    """Return the chances of some answers to one question of relation r.

    `closed` counts the entities that are no candidates for it.
    """
    chances = torch.from_numpy(curve(run, r).chance(odds.numpy())).to(odds.dtype)
    if run.calibration is None:
        return chances
    return chances * run.calibration.openness.plausibility(r, closed)


def curve(run: SavedRun, r: int) -> Curve:
    """Return how evidence for the answers to questions of a relation becomes a probability."""
    return Platt() if run.calibration is None else run.calibration.curve(r)
