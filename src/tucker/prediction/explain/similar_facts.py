"""The known facts most like a fact, as the model sees them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.graph import Ids
from tucker.models import Model
from tucker.runs import FinishedRun

MOST_FACTS = 1 << 18  # of one relation that are compared; beyond that, some are drawn
_AT_ONCE = 1 << 14  # facts


@dataclass(frozen=True)
class FactAlike:
    """A training fact of the same relation: how near its question and its answer are."""

    s: int  # the id of its subject
    o: int  # the id of its object
    query_cosine: float  # of the two questions
    object_cosine: float  # of the two answers

    @property
    def likeness(self) -> float:
        """The mean of both cosines: what facts are ordered by."""
        return (self.query_cosine + self.object_cosine) / 2


@torch.no_grad()
def facts_alike(
    run: FinishedRun, entities: Tensor, s: int, r: int, o: int, k: int
) -> tuple[list[FactAlike], int, int]:
    """Return the k training facts of r most like (s, r, o), the fact itself apart.

    `entities` are the vectors of the run's model. Two counts follow the facts: how many were
    compared, and of how many.
    """
    train = run.graph.train
    pairs = train[train[:, 1] == r][:, [0, 2]]
    pairs = pairs[(pairs[:, 0] != s) | (pairs[:, 1] != o)]
    model = run.model.embedding
    if not len(pairs) or not model.knows_entities:
        return [], 0, len(pairs)
    compared = _drawn(pairs)
    objects = model.objects(entities)
    query = model.queries(torch.tensor([s]), torch.tensor([r]), entities=entities)
    found = [
        _cosines(model, torch.from_numpy(some), r, query, objects[o], (entities, objects))
        for some in np.split(compared, range(_AT_ONCE, len(compared), _AT_ONCE))
    ]
    cosines = torch.cat(found)  # (facts, 2)
    order = torch.sort(cosines.mean(1), descending=True, stable=True).indices[:k]
    best = [
        FactAlike(*compared[place].tolist(), *cosines[place].tolist()) for place in order.tolist()
    ]
    return best, len(compared), len(pairs)


def _drawn(pairs: Ids) -> Ids:
    if len(pairs) <= MOST_FACTS:
        return pairs
    places = np.random.default_rng(0).choice(len(pairs), MOST_FACTS, replace=False)
    return pairs[np.sort(places)]


def _cosines(
    model: Model, pairs: Tensor, r: int, query: Tensor, e_o: Tensor, vectors: tuple[Tensor, Tensor]
) -> Tensor:
    """Return the cosines of queries and of objects, (facts, 2)."""
    entities, objects = vectors
    s, row = torch.unique(pairs[:, 0], return_inverse=True)
    q = model.queries(s, torch.full_like(s, r), entities=entities)
    of_query = F.cosine_similarity(q, query)[row]
    return torch.stack([of_query, F.cosine_similarity(objects[pairs[:, 1]], e_o[None])], dim=1)
