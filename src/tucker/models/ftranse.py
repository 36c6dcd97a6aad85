"""FTransE: a translation whose direction counts, and not its length."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.models.base import Model
from tucker.models.groups import Groups
from tucker.models.trilinear import embeddings


class FTransE(Model):
    """φ(s, r, o) = (e_s + w_r)ᵀ e_o + e_sᵀ (e_o − w_r), with w_r ∈ R^{d_e};
    space O(n_e d_e + n_r d_e).

    Feng, Huang, Wang, Zhou, Hao and Zhu, "Knowledge Graph Embedding by Flexible Translation", KR
    2016. TransE wants e_s + w_r to be e_o; here it need only point the same way, and so must
    e_o − w_r and e_s. Of an entity with itself the score is 2 ‖e‖² whatever the relation is.
    """

    def __init__(self, *, n_e: int, n_r: int, d_e: int = 200) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        self.E = embeddings(n_e, d_e)
        self.R = embeddings(n_r, d_e)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return [2 e_s + w_r; −e_sᵀ w_r], the last of which meets a 1."""
        w = w_r[groups.of_row]
        return torch.cat([2 * e_s + w, -(e_s * w).sum(1, keepdim=True)], dim=1)  # (rows, d_e + 1)

    def objects(self, entities: Tensor) -> Tensor:
        """Return [e_o; 1]."""
        return F.pad(entities, (0, 1), value=1)
