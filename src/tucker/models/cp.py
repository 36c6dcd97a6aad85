"""CP: the canonical polyadic decomposition."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional as F

from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear, embeddings


class CP(Trilinear):
    """φ(s, r, o) = ⟨h_s, w_r, t_o⟩, with w_r ∈ R^{d_e/2}; space O(n_e d_e + n_r d_e).

    Hitchcock, "The Expression of a Tensor or a Polyadic as a Sum of Products", 1927. A row of E is
    the head and then the tail half [h; t] of an entity, one for each place that it can stand in.
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
        self.R = embeddings(n_r, d_e // 2)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return [0; h_s ∘ w_r], which meets [h_o; t_o]."""
        head, _ = e_s.chunk(2, dim=-1)
        return F.pad(head * w_r[groups.of_row], (head.shape[1], 0))

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return [w_r ∘ t_o; 0], which meets [h_s; t_s]."""
        _, tail = e_o.chunk(2, dim=-1)
        return F.pad(w_r[groups.of_row] * tail, (0, tail.shape[1]))

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return h_s ∘ t_o."""
        return e_s.chunk(2, dim=-1)[0] * e_o.chunk(2, dim=-1)[1]
