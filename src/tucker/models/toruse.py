"""TorusE: a translation on a torus."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from tucker.errors import SettingsError
from tucker.models.distance import Distance
from tucker.models.groups import Groups


class TorusE(Distance):
    """φ(s, r, o) = γ − ‖[e_s] + [w_r] − [e_o]‖, with [w_r] ∈ T^{d_e}; space O(n_e d_e + n_r d_e).

    Ebisu and Ichise, "TorusE: Knowledge Graph Embedding on a Lie Group", AAAI 2018. [x] is x up to
    whole numbers: every coordinate is a circle of length 1, on which the nearer way counts. With x
    the difference by that way, the distance is 2 Σ |x| ("l1"), 4 Σ x² ("l2") or, straight through
    the circle, Σ sin² πx ("el2"). It counts `scale` times, which decides how sharp a
    softmax can become: circles do not grow.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        norm: Literal["l1", "l2", "el2"] = "l1",
        gamma: float = 6.0,
        scale: float = 1.0,
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r, gamma=gamma, scale=scale)
        if scale <= 0:
            raise SettingsError(f"model.scale is {scale}: it must be above 0")
        # At scale 1, on one side of the circles: all around, facts are learned and none foretold.
        self.E = self.embeddings(n_e, d_e)
        self.R = self.embeddings(n_r, d_e)
        self._norm = norm

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return [e_s] + [w_r]."""
        return e_s + w_r[groups.of_row]

    def distance(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return ‖[q] − [e_o]‖."""
        x = q.unsqueeze(-3) - e_o.unsqueeze(-2)  # (..., objects, rows, d_e)
        if self._norm == "el2":
            return torch.sin(torch.pi * x).square().sum(-1)
        x = x - x.round()  # the nearer way
        return 2 * x.abs().sum(-1) if self._norm == "l1" else 4 * x.square().sum(-1)
