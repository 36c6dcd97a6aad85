"""The entities whose embeddings point the way of another's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.errors import TuckerError
from tucker.prediction.index import VectorIndex
from tucker.runs import FinishedRun

INDEX_FROM = 2_000_000  # entities: below that, looking at all of them takes well under a second


@dataclass(frozen=True)
class Neighbour:
    """An entity near another."""

    name: str
    label: str | None
    cosine: float
    rank: int

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        said: dict[str, Any] = {"name": self.name, "cosine": self.cosine, "rank": self.rank}
        return said | ({"label": self.label} if self.label else {})


class Neighbours:
    """Finds the nearest entities by cosine: among all, or by an index that may miss a few.

    `index` asks for the index or refuses it; None takes it for graphs of two million entities and
    more, if it is installed. It is built at the first question, which takes minutes for so many.
    """

    def __init__(self, run: FinishedRun, *, index: bool | None = None) -> None:
        self._run = run
        large = run.graph.n_e >= INDEX_FROM and VectorIndex.installed()
        self._indexed = large if index is None else index

    def find(self, name: str, k: int = 10) -> list[Neighbour]:
        """Return the k entities nearest to one, the nearest first."""
        if k < 1:
            raise TuckerError(f"k must be at least 1; found {k}")
        entities = self._run.graph.entities
        id = entities.id(name)
        k = min(k, len(entities) - 1)
        ids = self._index.search(self._vectors[id], k + 1) if self._indexed else None
        near = self._vectors if ids is None else self._vectors[ids]
        cosines = near @ self._vectors[id]
        order = torch.sort(cosines, descending=True, stable=True).indices.tolist()
        found = [(place if ids is None else int(ids[place]), place) for place in order[: k + 1]]
        return [
            Neighbour(entities.name(one), entities.label(one), float(cosines[place]), rank)
            for rank, (one, place) in enumerate(
                [pair for pair in found if pair[0] != id][:k], start=1
            )
        ]

    @cached_property
    def _vectors(self) -> Tensor:
        """The embeddings, each of length 1, (n_e, d_e)."""
        with torch.no_grad():
            return F.normalize(self._run.model.entities(), dim=1)

    @cached_property
    def _index(self) -> VectorIndex:
        return VectorIndex(self._vectors)
