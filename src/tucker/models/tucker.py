"""TuckER: the Tucker decomposition of the binary tensor of facts."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tucker.models.dropout import Dropout
from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear


class TuckER(Trilinear):
    """φ(s, r, o) = W ×₁ e_s ×₂ w_r ×₃ e_o, with w_r ∈ R^{d_r}; space O(n_e d_e + n_r d_r).

    Balažević, Allen and Hospedales, "TuckER: Tensor Factorization for Knowledge Graph Completion",
    EMNLP 2019. The probability of a fact is σ(φ). Dropout acts on the subject embedding, the
    relation matrix and the subject transformed by it (d#1, d#2, d#3 of the paper's Table 5), and
    batch normalisation before the first and the third, unless it is left out.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        d_r: int = 200,
        dropout_subject: float = 0.3,
        dropout_relation: float = 0.4,
        dropout_query: float = 0.5,
        batch_norm: bool = True,
        initial_width: float | None = None,
    ) -> None:
        super().__init__(n_e, n_r, d_e, dropout_subject, dropout_query, batch_norm)
        self.E = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_e, d_e)))
        self.R = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_r, d_r)))
        self.core = nn.Parameter(torch.empty(d_e, d_r, d_e).uniform_(-1, 1))
        if initial_width is not None:  # Xavier and ±1 suit batch normalisation
            for weights in (self.E, self.R, self.core):
                nn.init.uniform_(weights, -initial_width, initial_width)
        self.dropout_relation = Dropout(dropout_relation)

    def operators(self, w_r: Tensor) -> Tensor:
        """Return W_r = W ×₂ w_r, which takes the place of w_r below."""
        return self.relation_matrix(w_r)

    def query(self, e_s: Tensor, W_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r."""
        e_s = self.dropout_subject(self.norm_subject(e_s))  # (rows, d_e)
        W_r = self.dropout_relation(W_r)  # (groups, d_e, d_e)
        q: Tensor = self.dropout_query(self.norm_query(groups.transform(e_s, W_r)))
        return q  # (rows, d_e)

    def without_object(self, e_s: Tensor, W_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r."""
        return groups.transform(e_s, W_r)

    def without_subject(self, W_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W ×₂ w_r ×₃ e_o."""
        return groups.transform(e_o, W_r.mT)

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return W ×₁ e_s ×₃ e_o."""
        slices = torch.tensordot(e_s, self.core, dims=1)  # (rows, d_r, d_e)
        return torch.bmm(slices, e_o.unsqueeze(2)).squeeze(2)

    def relations_and_core(self) -> tuple[Tensor, Tensor]:
        """Return R and the core themselves."""
        return self.R, self.core

    def relation_matrix(self, w_r: Tensor) -> Tensor:
        """Return W ×₂ w_r, the matrix of each relation: (groups, d_r) -> (groups, d_e, d_e).

        One product for each slice of the core, twice as fast as one flat product: with few groups
        that is too thin for the processor.
        """
        return torch.bmm(w_r.expand(len(self.core), -1, -1), self.core).transpose(0, 1)

    @classmethod
    def exact(cls, triples: Tensor, n_e: int, n_r: int) -> TuckER:
        """Return the one-hot model of the paper's Theorem 1: φ is 1 for these triples, else -1."""
        from tucker.models.constructed import exact_tucker  # noqa: PLC0415 - it needs this class

        return exact_tucker(triples, n_e, n_r)
