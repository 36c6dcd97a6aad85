"""TuckER: the Tucker decomposition of the binary tensor of facts."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tucker.errors import SettingsError
from tucker.models.block_core import times_ends, times_relations, weighted_cubes
from tucker.models.dropout import Dropout
from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear


class TuckER(Trilinear):
    """φ(s, r, o) = W ×₁ e_s ×₂ w_r ×₃ e_o, with w_r ∈ R^{d_r}; space O(n_e d_e + n_r d_r).

    Balažević, Allen and Hospedales, "TuckER: Tensor Factorization for Knowledge Graph Completion",
    EMNLP 2019. The probability of a fact is σ(φ). Dropout acts on the subject embedding, the
    relation matrix and the subject transformed by it (d#1, d#2, d#3 of the paper's Table 5), and
    batch normalisation before the first and the third, unless it is left out.
    With several `blocks` the core is block-diagonal: wide embeddings need few weights (Tran and
    Takasu, "Multi-Partition Embedding Interaction with Block Term Format", ECAI 2020).
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        d_r: int = 200,
        blocks: int = 1,
        dropout_subject: float = 0.3,
        dropout_relation: float = 0.4,
        dropout_query: float = 0.5,
        batch_norm: bool = True,
        initial_width: float | None = None,
    ) -> None:
        super().__init__(n_e, n_r, d_e, dropout_subject, dropout_query, batch_norm, parts=blocks)
        if d_r % blocks:
            raise SettingsError(f"model.d_r is {d_r}: it must be a multiple of the {blocks} blocks")
        self.blocks = blocks
        self.E = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_e, d_e)))
        self.R = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_r, d_r)))
        self.core = nn.Parameter(torch.empty(d_e, d_r // blocks, d_e // blocks).uniform_(-1, 1))
        if initial_width is not None:  # Xavier and ±1 suit batch normalisation
            for weights in (self.E, self.R, self.core):
                nn.init.uniform_(weights, -initial_width, initial_width)
        self.dropout_relation = Dropout(dropout_relation)

    def operators(self, w_r: Tensor) -> Tensor:
        """Return W_r = W ×₂ w_r: its blocks one below the other, (groups, d_e, d_e / blocks)."""
        return times_relations(self.core, w_r, self.blocks)

    def query(self, e_s: Tensor, W_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r, normalised and dropped out as the settings say."""
        return super().query(e_s, self.dropout_relation(W_r), groups)

    def without_object(self, e_s: Tensor, W_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r."""
        return groups.transform(e_s, W_r)

    def without_subject(self, W_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W ×₂ w_r ×₃ e_o."""
        return groups.transform_back(e_o, W_r)

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return W ×₁ e_s ×₃ e_o."""
        return times_ends(self.core, e_s, e_o, self.blocks)

    def cubes(self, e_s: Tensor, w_r: Tensor, e_o: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return Σ |x|³ of each row, a coordinate counted with the core's weights that meet it."""
        return weighted_cubes(self.core, e_s, w_r, e_o, self.blocks)

    def relation_matrix(self, w_r: Tensor) -> Tensor:
        """Return W ×₂ w_r, the matrix of each relation: (groups, d_r) -> (groups, d_e, d_e)."""
        return self.operators(w_r) if self.blocks == 1 else super().relation_matrix(w_r)

    def relations_and_core(self) -> tuple[Tensor, Tensor]:
        """Return R and the core themselves; a block-diagonal core with its zeros."""
        return (self.R, self.core) if self.blocks == 1 else super().relations_and_core()

    @classmethod
    def exact(cls, triples: Tensor, n_e: int, n_r: int) -> TuckER:
        """Return the one-hot model of the paper's Theorem 1: φ is 1 for these triples, else -1."""
        from tucker.models.exact import exact_tucker  # noqa: PLC0415 - it needs this class

        return exact_tucker(triples, n_e, n_r)
