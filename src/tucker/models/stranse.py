"""STransE: a translation between two projections that the relation makes."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from tucker.models.distance import Distance
from tucker.models.groups import Groups


class STransE(Distance):
    """φ(s, r, o) = γ − ‖W_r e_s + w_r − V_r e_o‖, with w_r ∈ R^{d_e} and W_r, V_r ∈ R^{d_e²};
    space O(n_e d_e + n_r d_e²).

    Nguyen, Sirts, Qu and Johnson, "STransE: a novel embedding model of entities and relationships
    in knowledge bases", NAACL 2016. The norm is the first or the second; embeddings are free. A row
    of R is [w_r; W_r; V_r], both matrices the identity at first, where STransE is TransE. Every
    object is projected anew for each question, so a question costs O(n_e d_e²): for small graphs.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 50,
        norm: Literal["l1", "l2"] = "l1",
        gamma: float = 6.0,
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r, gamma=gamma)
        unit = torch.eye(d_e).flatten().expand(n_r, -1)
        self.E = self.embeddings(n_e, d_e)
        self.R = nn.Parameter(torch.cat([self.embeddings(n_r, d_e).detach(), unit, unit], dim=1))
        self._p = {"l1": 1.0, "l2": 2.0}[norm]

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return W_r e_s + w_r, and V_r for the objects that it meets: [(rows, d_e); (…, d_e²)]."""
        d_e = e_s.shape[1]
        w, W, V = torch.split(w_r, [d_e, d_e * d_e, d_e * d_e], dim=1)
        moved = groups.transform_back(e_s, W.reshape(-1, d_e, d_e)) + w[groups.of_row]
        return torch.cat([moved, V[groups.of_row]], dim=1)

    def distance(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return ‖q − V_r e_o‖."""
        d_e = e_o.shape[-1]
        V = q[..., d_e:].reshape(*q.shape[:-1], d_e, d_e)  # (..., rows, d_e, d_e)
        projected = torch.einsum("...qij,...oj->...oqi", V, e_o)
        difference = q[..., :d_e].unsqueeze(-3) - projected  # (..., objects, rows, d_e)
        length: Tensor = torch.linalg.vector_norm(difference, ord=self._p, dim=-1)
        return length
