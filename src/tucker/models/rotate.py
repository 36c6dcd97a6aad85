"""RotatE: a relation as a rotation of the complex plane, coordinate by coordinate."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

from tucker.errors import SettingsError
from tucker.models.distance import Distance
from tucker.models.groups import Groups


class RotatE(Distance):
    """φ(s, r, o) = γ − ‖e_s ∘ w_r − e_o‖, with w_r ∈ C^{d_e/2}, |w_r| = 1;
    space O(n_e d_e + n_r d_e).

    Sun, Deng, Nie and Tang, "RotatE: Knowledge Graph Embedding by Relational Rotation in Complex
    Space", ICLR 2019. The norm is the paper's sum of the moduli ("l1") or the length ("l2"). A
    row of E is the real half and then the imaginary half of a vector, so that d_e counts real
    numbers; a row of R holds the angles.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        norm: Literal["l1", "l2"] = "l1",
        gamma: float = 6.0,
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r, gamma=gamma)
        if d_e % 2:
            raise SettingsError(f"model.d_e is {d_e}: RotatE halves it, so it must be even")
        self.E = self.embeddings(n_e, d_e)
        self.R = nn.Parameter(torch.empty(n_r, d_e // 2).uniform_(-math.pi, math.pi))
        self._norm = norm

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return e_s ∘ w_r."""
        real, imaginary = e_s.chunk(2, dim=-1)  # (rows, d_e / 2) each
        angle = w_r[groups.of_row]
        cos, sin = angle.cos(), angle.sin()
        return torch.cat([real * cos - imaginary * sin, real * sin + imaginary * cos], dim=-1)

    def distance(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return Σ |q − e_o|, or the root of the sum of squares."""
        if self._norm == "l2":
            return torch.cdist(e_o, q)
        difference = q.unsqueeze(-3) - e_o.unsqueeze(-2)  # (..., objects, rows, d_e)
        real, imaginary = difference.chunk(2, dim=-1)
        # A rotation by nothing leaves nothing, where the root has no gradient: hence the 1e-12.
        return (real * real + imaginary * imaginary + 1e-12).sqrt().sum(-1)
