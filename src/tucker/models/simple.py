"""SimplE: a head and a tail vector for each entity, read both ways."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear, embeddings


class SimplE(Trilinear):
    """φ(s, r, o) = ½ (⟨h_s, w_r, t_o⟩ + ⟨h_o, v_r, t_s⟩), with w_r, v_r ∈ R^{d_e/2};
    space O(n_e d_e + n_r d_e).

    Kazemi and Poole, "SimplE Embedding for Link Prediction in Knowledge Graphs", NeurIPS 2018. A
    row of E is the head and then the tail half [h; t] of an entity, a row of R the vector of the
    relation and then that of its inverse [w_r; v_r], the paper's w_{r⁻¹}.
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
        super().__init__(n_e, n_r, d_e, dropout_subject, dropout_query, batch_norm, parts=2)
        self.E = embeddings(n_e, d_e)
        self.R = embeddings(n_r, d_e)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return ½ [t_s ∘ v_r; h_s ∘ w_r], which meets [h_o; t_o]."""
        return _swapped(e_s * w_r[groups.of_row]) / 2

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return ½ [w_r ∘ t_o; v_r ∘ h_o], which meets [h_s; t_s]."""
        return w_r[groups.of_row] * _swapped(e_o) / 2

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return ½ [h_s ∘ t_o; t_s ∘ h_o], which meets [w_r; v_r]."""
        return e_s * _swapped(e_o) / 2


def _swapped(x: Tensor) -> Tensor:
    """Let the halves of each row change places."""
    return torch.cat(x.chunk(2, dim=-1)[::-1], dim=-1)
