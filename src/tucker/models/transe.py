"""TransE: a relation as a translation."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from tucker.models.distance import Distance
from tucker.models.groups import Groups


class TransE(Distance):
    """φ(s, r, o) = γ − ‖e_s + w_r − e_o‖, with w_r ∈ R^{d_e}; space O(n_e d_e + n_r d_e).

    Bordes, Usunier, García-Durán, Weston and Yakhnenko, "Translating Embeddings for Modeling
    Multi-relational Data", NeurIPS 2013. The norm is the first or the second; embeddings are free,
    not bound to the unit sphere. L1 needs no memory beside the scores, L2 is made of products.
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
        self.E = self.embeddings(n_e, d_e)
        self.R = self.embeddings(n_r, d_e)
        self._p = {"l1": 1.0, "l2": 2.0}[norm]

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return e_s + w_r."""
        return e_s + w_r[groups.of_row]

    def distance(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return ‖q − e_o‖."""
        return torch.cdist(  # exact for near ones, which a product would make equal
            e_o, q, p=self._p, compute_mode="donot_use_mm_for_euclid_dist"
        )
