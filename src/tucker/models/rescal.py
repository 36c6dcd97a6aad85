"""RESCAL: a free matrix a relation."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear, embeddings


class RESCAL(Trilinear):
    """φ(s, r, o) = e_sᵀ W_r e_o, with W_r ∈ R^{d_e × d_e}; space O(n_e d_e + n_r d_e²).

    Nickel, Tresp and Kriegel, "A Three-Way Model for Collective Learning on Multi-Relational Data",
    ICML 2011. A row of R is a matrix W_r, row by row.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        dropout_subject: float = 0.0,
        dropout_query: float = 0.0,
        batch_norm: bool = False,
    ) -> None:
        super().__init__(n_e, n_r, d_e, dropout_subject, dropout_query, batch_norm)
        self.E = embeddings(n_e, d_e)
        self.R = nn.Parameter(torch.randn(n_r, d_e * d_e) / d_e)

    def operators(self, w_r: Tensor) -> Tensor:
        """Return W_r, which takes the place of w_r below."""
        return self.relation_matrix(w_r)

    def without_object(self, e_s: Tensor, W_r: Tensor, groups: Groups) -> Tensor:
        """Return W_rᵀ e_s."""
        return groups.transform(e_s, W_r)

    def without_subject(self, W_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W_r e_o."""
        return groups.transform_back(e_o, W_r)

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return e_s e_oᵀ, row by row."""
        return (e_s.unsqueeze(2) * e_o.unsqueeze(1)).flatten(1)

    def relation_matrix(self, w_r: Tensor) -> Tensor:
        """Return W_r: (groups, d_e²) -> (groups, d_e, d_e)."""
        return w_r.view(len(w_r), self.E.shape[1], -1)

    def relations_and_core(self) -> tuple[Tensor, Tensor]:
        """Return one-hot relations and a core whose slices are the matrices W_r (Tucker2)."""
        unit = torch.eye(self.n_r, dtype=self.R.dtype, device=self.R.device)
        return unit, self.relation_matrix(self.R).transpose(0, 1)
