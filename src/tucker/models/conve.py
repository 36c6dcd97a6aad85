"""ConvE: a convolution over the subject and the relation as an image."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tucker.models.base import Model
from tucker.models.dropout import Dropout
from tucker.models.groups import Groups


class ConvE(Model):
    """φ(s, r, o) = f(vec(f([e̲_s; w̲_r] ∗ ω)) W) e_o + b_o, with w_r ∈ R^{d_e};
    space O(n_e d_e + n_r d_e).

    Dettmers, Minervini, Stenetorp and Riedel, "Convolutional 2D Knowledge Graph Embeddings", AAAI
    2018. e̲_s and w̲_r are the vectors as rectangles, as near to squares as d_e allows, one upon the
    other; ω are the filters, f is max(0, ·). Batch normalisation and dropout act on the image, the
    feature maps and the query.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        filters: int = 32,
        kernel: int = 3,
        dropout_input: float = 0.2,
        dropout_features: float = 0.2,
        dropout_query: float = 0.3,
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        self.height = max(side for side in range(1, math.isqrt(d_e) + 1) if d_e % side == 0)
        width = d_e // self.height
        window = min(kernel, 2 * self.height), min(kernel, width)
        maps = (2 * self.height - window[0] + 1) * (width - window[1] + 1)
        self.E = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_e, d_e)))
        self.R = nn.Parameter(nn.init.xavier_normal_(torch.empty(n_r, d_e)))
        self.bias = nn.Parameter(torch.zeros(n_e))
        self.convolve = nn.Conv2d(1, filters, window, bias=False)  # the norms have biases
        self.project = nn.Linear(filters * maps, d_e, bias=False)
        self.norm_input = nn.BatchNorm2d(1)
        self.norm_features = nn.BatchNorm2d(filters)
        self.norm_query = nn.BatchNorm1d(d_e)
        self.dropout_input = Dropout(dropout_input)
        self.dropout_features = nn.Dropout2d(dropout_features)
        self.dropout_query = Dropout(dropout_query)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return f(vec(f([e̲_s; w̲_r] ∗ ω)) W), and a 1 that meets the bias."""
        image = torch.cat([e_s, w_r[groups.of_row]], dim=1)  # (rows, 2 d_e)
        image = image.view(len(e_s), 1, 2 * self.height, -1)
        x = self.convolve(self.dropout_input(self.norm_input(image)))  # (rows, filters, …, …)
        x = self.dropout_features(F.relu(self.norm_features(x)))
        x = self.dropout_query(self.project(x.flatten(1)))  # (rows, d_e)
        return F.pad(F.relu(self.norm_query(x)), (0, 1), value=1)  # (rows, d_e + 1)

    def objects(self, entities: Tensor) -> Tensor:
        """Return [e_o; b_o]."""
        return torch.cat([entities, self.bias[:, None]], dim=1)
