"""Many questions of one relation, and the scores from which their answers have some probability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from tucker.prediction.probability import curve, odds_of_share, shares
from tucker.runs import FinishedRun

_SLACK = 1e-4  # of a score: what is cut off must not hang on rounding


@dataclass(frozen=True, eq=False)
class Asked:
    """Questions (s, r, ?) of one relation that wait for objects to meet."""

    run: FinishedRun
    r: int
    q: Tensor  # (rows, d_e)
    total: Tensor | None  # (rows,) log of what shares are of; None if facts go one by one
    factor: Tensor  # (rows,) the chance that the question has a missing answer

    def evidence(self, scores: Tensor, rows: Tensor) -> Tensor:
        """Return the log-odds of answers to some of the questions."""
        return scores if self.total is None else odds_of_share(scores - self.total[rows])

    def chances(self, evidence: Tensor, rows: Tensor) -> Tensor:
        """Return the probability of answers with some evidence to some of the questions."""
        found = curve(self.run, self.r).chance(evidence.numpy())
        return torch.from_numpy(found).double() * self.factor[rows]

    def least_scores(self, chance: float) -> Tensor:
        """Return a score below which answers to each question are less probable, (rows,)."""
        kinds, which = torch.unique(self.factor, return_inverse=True)
        of_curve = curve(self.run, self.r)
        wanted = [
            of_curve.evidence_for(chance / kind) if kind else -math.inf for kind in kinds.tolist()
        ]
        evidence = torch.tensor(wanted, dtype=torch.float64)[which]
        if self.total is not None:
            evidence = self.total + torch.nn.functional.logsigmoid(evidence)
        return evidence - _SLACK * (1 + evidence.abs().nan_to_num(posinf=0.0))

    def take(self, rows: Tensor) -> Asked:
        """Return some of the questions."""
        total = None if self.total is None else self.total[rows]
        return Asked(self.run, self.r, self.q[rows], total, self.factor[rows])

    def and_then(self, other: Asked) -> Asked:
        """Put further questions of the same relation behind these."""
        total = None
        if self.total is not None and other.total is not None:
            total = torch.cat([self.total, other.total])
        q, factor = torch.cat([self.q, other.q]), torch.cat([self.factor, other.factor])
        return Asked(self.run, self.r, q, total, factor)


def ask(
    run: FinishedRun, s: Tensor, r: int, new: Tensor, *, entities: Tensor, objects: Tensor
) -> Asked:
    """Put questions of one relation, to which `new` says the candidates, (rows, n_e)."""
    q = run.model.queries(s, torch.full_like(s, r), entities=entities)
    factor = torch.ones(len(s), dtype=torch.float64)
    if run.calibration is None and not shares(run):
        return Asked(run, r, q, None, factor)
    scores = run.model.meet(q, objects).T  # (rows, n_e)
    if run.calibration is not None:
        scores = scores.masked_fill(~new, -torch.inf)
        counts, which = torch.unique((~new).sum(1), return_inverse=True)
        chances = [run.calibration.openness.chance(r, closed) for closed in counts.tolist()]
        factor = torch.tensor(chances, dtype=torch.float64)[which]
    return Asked(run, r, q, torch.logsumexp(scores, dim=1), factor)
