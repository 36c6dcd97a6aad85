"""The entities whose embeddings point the way of another's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.errors import TuckerError
from tucker.runs import FinishedRun


@dataclass(frozen=True)
class Neighbour:
    """An entity near another."""

    name: str  # of the entity
    label: str | None  # of the entity, if it has one
    cosine: float  # of the two embeddings
    rank: int  # its place among the nearest, from 1

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        said: dict[str, Any] = {"name": self.name, "cosine": self.cosine, "rank": self.rank}
        return said | ({"label": self.label} if self.label else {})


class Neighbours:
    """Finds the nearest entities by cosine, among all of them."""

    def __init__(self, run: FinishedRun) -> None:
        self._run = run

    def find(self, name: str, k: int = 10, *, index: bool | None = None) -> list[Neighbour]:
        """Return the k entities nearest to one, the nearest first.

        `index` once asked for an approximate index; it is refused.
        """
        if index:
            raise TuckerError(
                "the approximate index was removed: leave it out, the search is exact"
            )
        self._run.model.embedding.check_vectors()
        if k < 1:
            raise TuckerError(f"k must be at least 1; found {k}")
        entities = self._run.graph.entities
        id = entities.id(name)
        k = min(k, len(entities) - 1)
        cosines = self._vectors @ self._vectors[id]
        order = torch.sort(cosines, descending=True, stable=True).indices[: k + 1].tolist()
        found = [one for one in order if one != id][:k]
        return [
            Neighbour(entities.name(one), entities.label(one), float(cosines[one]), rank)
            for rank, one in enumerate(found, start=1)
        ]

    @cached_property
    def _vectors(self) -> Tensor:
        """The embeddings, each of length 1, (n_e, d_e)."""
        with torch.no_grad():
            return F.normalize(self._run.model.entities(), dim=1)
