"""Models whose score is how near the query comes to the object."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import torch
from torch import Tensor, nn

from tucker.models.base import Model


class Distance(Model):
    """A model φ(s, r, o) = γ − scale · distance(query, e_o).

    γ, the distance at which a fact is as likely as not, matters to the Bernoulli loss alone: in the
    softmax it cancels out. The scale is 1 where embeddings can grow at will. All entities are
    scored in slices of at most 2²⁰ numbers (4 MiB), a number being one coordinate of one query and
    one object, or else one object at a time.
    """

    meets_by_product: ClassVar[bool] = False

    def __init__(self, *, n_e: int, n_r: int, gamma: float, scale: float = 1.0) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        self.gamma = gamma
        self.scale = scale

    def embeddings(self, rows: int, columns: int) -> nn.Parameter:
        """Return new embeddings that are about γ apart by an L1 norm, as Sun et al. draw them."""
        bound = (self.gamma + 2) / (self.scale * columns)
        return nn.Parameter(torch.empty(rows, columns).uniform_(-bound, bound))

    @abstractmethod
    def distance(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return the distances, (..., rows, d) and (..., objects, d) -> (..., objects, rows)."""

    def meet(self, q: Tensor, objects: Tensor, out: Tensor | None = None) -> Tensor:
        """Return the score of each object as the answer to each query, (objects, rows)."""
        parts = (self._near(self.distance(q, objects[piece])) for piece in slices(q, objects))
        if out is None:
            return torch.cat(list(parts))
        for piece, part in zip(slices(q, objects), parts, strict=True):
            out[piece] = part
        return out

    def meet_one(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return the score of one object a query, (rows,)."""
        return self._near(self.distance(q[:, None], e_o[:, None])).flatten()

    def _near(self, distance: Tensor) -> Tensor:
        """Return γ − scale · distance."""
        return self.gamma - self.scale * distance


_NUMBERS = 1 << 20  # queries × objects × d at a time: 4 MiB


def slices(q: Tensor, objects: Tensor) -> Iterator[slice]:
    """Cut the objects, (n, d), into slices for which a number a query and coordinate fits."""
    size = max(1, _NUMBERS // max(1, q.numel()))
    return (slice(start, start + size) for start in range(0, len(objects), size))
