"""What every model shares: embeddings, and scores derived from one `query`."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tucker.models.groups import Groups


class Model(nn.Module, ABC):
    """A scoring function φ(s, r, o) over ids, stated once as the query that meets every object.

    `n_r` counts the rows of R: with reciprocal relations, twice the relations of the graph.
    """

    E: nn.Parameter  # (n_e, d_e)
    R: nn.Parameter  # (n_r, d_r)

    def __init__(self, *, n_e: int, n_r: int) -> None:
        super().__init__()
        self.n_e = n_e
        self.n_r = n_r

    @abstractmethod
    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return the vectors whose dot product with e_o is the score of o, (rows, d_e).

        `e_s` has a row a question, (rows, d_e); `w_r` one a group of them, (groups, d_r).
        """

    def queries(self, s: Tensor, r: Tensor, group_size: int = 64) -> Tensor:
        """Return the query of each (s, r), (rows, d_e)."""
        groups = Groups.of(r, group_size)
        # Sparse, so that the gradient of a few rows is no dense (n_e, d_e) matrix.
        e_s = F.embedding(s, self.E, sparse=True)
        return self.query(e_s, F.embedding(groups.relation, self.R), groups)

    def meet(self, q: Tensor, out: Tensor | None = None) -> Tensor:
        """Return the score of every entity as the answer to each query, (n_e, rows)."""
        return torch.mm(self.E, q.T, out=out)

    def score_objects(self, s: Tensor, r: Tensor) -> Tensor:
        """Return φ(s, r, o) of every entity o, (rows, n_e)."""
        return self.meet(self.queries(s, r)).T

    def score(self, s: Tensor, r: Tensor, o: Tensor) -> Tensor:
        """Return φ(s, r, o) of each triple, (rows,)."""
        return (self.queries(s, r) * self.E[o]).sum(-1)

    def count_parameters(self) -> int:
        """Return how many numbers the model learns."""
        return sum(parameter.numel() for parameter in self.parameters())
