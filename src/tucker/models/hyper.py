"""HypER: filters that a hypernetwork makes from the relation."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tucker.models.base import Model
from tucker.models.dropout import Dropout
from tucker.models.groups import Groups


class HypER(Model):
    """φ(s, r, o) = f(vec(e_s ∗ vec⁻¹(w_r H)) W) e_o + b_o, with w_r ∈ R^{d_r};
    space O(n_e d_e + n_r d_r).

    Balažević, Allen and Hospedales, "Hypernetwork Knowledge Graph Embeddings", ICANN 2019. w_r H
    are the relation's one-dimensional filters, f is max(0, ·). Batch normalisation and dropout act
    on the subject, the feature maps and the query.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        d_r: int = 200,
        filters: int = 32,
        kernel: int = 9,
        dropout_input: float = 0.2,
        dropout_features: float = 0.2,
        dropout_query: float = 0.3,
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        self.kernel = min(kernel, d_e)
        self.E = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_e, d_e)))
        self.R = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_r, d_r)))
        self.bias = nn.Parameter(torch.zeros(n_e))
        self.hyper = nn.Linear(d_r, self.kernel * filters, bias=False)
        self.project = nn.Linear(filters * (d_e - self.kernel + 1), d_e, bias=False)
        self.norm_input = nn.BatchNorm1d(1)
        self.norm_features = nn.BatchNorm1d(filters)
        self.norm_query = nn.BatchNorm1d(d_e)
        self.dropout_input = Dropout(dropout_input)
        self.dropout_features = nn.Dropout1d(dropout_features)
        self.dropout_query = Dropout(dropout_query)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return f(vec(e_s ∗ vec⁻¹(w_r H)) W), and a 1 that meets the bias."""
        e_s = self.dropout_input(self.norm_input(e_s[:, None]))  # (rows, 1, d_e)
        filters = self.hyper(w_r).view(len(w_r), -1, self.kernel)  # (groups, filters, kernel)
        windows = e_s.squeeze(1).unfold(1, self.kernel, 1)  # (rows, places, kernel)
        x = torch.bmm(filters[groups.of_row], windows.mT)  # (rows, filters, places)
        x = self.dropout_features(self.norm_features(x))
        x = self.dropout_query(self.project(x.flatten(1)))  # (rows, d_e)
        return F.pad(F.relu(self.norm_query(x)), (0, 1), value=1)  # (rows, d_e + 1)

    def objects(self, entities: Tensor) -> Tensor:
        """Return [e_o; b_o]."""
        return torch.cat([entities, self.bias[:, None]], dim=1)
