"""R-GCN: entities that hear from their neighbours."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tucker.models.base import Model
from tucker.models.dropout import Dropout
from tucker.models.groups import Groups


class RGCN(Model):
    """φ(s, r, o) = ⟨h_s, w_r, h_o⟩, with w_r ∈ R^{d_e}, V_b ∈ R^{d_e²}; space O(n_e d_e + n_r d_e).

    Schlichtkrull, Kipf, Bloem, van den Berg, Titov and Welling, "Modeling Relational Data with
    Graph Convolutional Networks", ESWC 2018. Beginning with E, each layer makes h_o anew from
    h_o W₀ and the mean over all facts (s, r, o) known of o, reciprocal ones included, of h_s W_r,
    where W_r = Σ_b a_rb V_b; max(0, ·) stands between layers. The whole graph takes part in every
    step: the memory of a layer is O(bases · n_e d_e), never an entry an edge and coordinate.
    """

    edges: Tensor  # (2, edges) their sources and relations, sorted by target
    first: Tensor  # (n_e,) the first edge of each target
    share: Tensor  # (edges,) one over how many edges its target has

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        layers: int = 1,
        bases: int = 2,
        dropout_edges: float = 0.4,
        dropout_self: float = 0.2,
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        self.E = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_e, d_e)))
        self.R = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_r, d_e)))
        self.V = nn.Parameter(torch.randn(layers, bases, d_e, d_e) / d_e**0.5)
        self.a = nn.Parameter(torch.randn(layers, bases, n_r))
        self.W_0 = nn.Parameter(torch.randn(layers, d_e, d_e) / d_e**0.5)
        self.dropout_edges = Dropout(dropout_edges)
        self.dropout_self = Dropout(dropout_self)
        self.take_facts(torch.empty(0, 3, dtype=torch.long, device="cpu"))

    def take_facts(self, triples: Tensor) -> None:
        """Keep the facts as edges to o and, by their reciprocal relations, to s.

        They are no part of the weights: a run has them in its table of known facts.
        """
        s, r, o = triples.T
        target, order = torch.cat([o, s]).sort(stable=True)
        degree = torch.bincount(target, minlength=self.n_e)
        edges = torch.stack([torch.cat([s, o]), torch.cat([r, r + self.n_r // 2])])[:, order]
        share = 1 / degree[target].to(self.E.dtype)
        self.register_buffer("edges", edges, persistent=False)
        self.register_buffer("first", degree.cumsum(0) - degree, persistent=False)
        self.register_buffer("share", share, persistent=False)

    def entities(self) -> Tensor:
        """Return H, the entities after all layers, (n_e, d_e)."""
        H: Tensor = self.E
        source, relation = self.edges
        for layer, W_0 in enumerate(self.W_0):
            H = F.relu(H) if layer else H
            share = self.dropout_edges(self.share)
            new = self.dropout_self(H @ W_0)
            for a_b, V_b in zip(self.a[layer], self.V[layer], strict=True):
                weights = a_b[relation] * share  # (edges,)
                bag = (source, H, self.first)  # the sum of weighted rows of H: (n_e, d_e)
                new = new + F.embedding_bag(*bag, mode="sum", per_sample_weights=weights) @ V_b
            H = new
        return H

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return h_s ∘ w_r."""
        return e_s * w_r[groups.of_row]
