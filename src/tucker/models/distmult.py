"""DistMult: a diagonal matrix a relation."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor

from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear, embeddings


class DistMult(Trilinear):
    """φ(s, r, o) = ⟨e_s, w_r, e_o⟩, with w_r ∈ R^{d_e}; space O(n_e d_e + n_r d_e).

    Yang, Yih, He, Gao and Deng, "Embedding Entities and Relations for Learning and Inference in
    Knowledge Bases", ICLR 2015. Subject and object can change places without changing the score:
    no relation is asymmetric.
    """

    fully_expressive: ClassVar[bool] = False

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
        self.R = embeddings(n_r, d_e)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return e_s ∘ w_r."""
        return e_s * w_r[groups.of_row]

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return w_r ∘ e_o."""
        return w_r[groups.of_row] * e_o

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return e_s ∘ e_o."""
        return e_s * e_o
