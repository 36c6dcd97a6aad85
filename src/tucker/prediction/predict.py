"""Answers to one question about the graph."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from tucker.errors import TuckerError
from tucker.graph import Ids
from tucker.prediction.plausible import reflexive
from tucker.prediction.prediction import Prediction
from tucker.prediction.probability import probabilities
from tucker.runs import SavedRun

_BLOCK_NUMBERS = 1 << 24  # scores at a time when relations are asked for: 64 MiB


def predict(
    run: SavedRun,
    *,
    subject: str | None = None,
    relation: str | None = None,
    object: str | None = None,
    k: int = 10,
) -> list[Prediction]:
    """Return the k best new answers to a question that gives two of a fact's three names.

    Facts that the graph has already, in any split, are left out; so is an entity as the answer to
    a question about itself, unless the relation is known to hold between one and itself.
    """
    if k < 1:
        raise TuckerError(f"k must be at least 1; found {k}")
    entities, relations = run.graph.entities, run.graph.relations
    if subject is not None and relation is not None and object is None:
        return _objects(run, entities.id(subject), relations.id(relation), k)
    if relation is not None and object is not None and subject is None:
        return _subjects(run, relations.id(relation), entities.id(object), k)
    if subject is not None and object is not None and relation is None:
        return _relations(run, entities.id(subject), entities.id(object), k)
    raise TuckerError("a question gives two of subject, relation and object")


def _objects(run: SavedRun, s: int, r: int, k: int) -> list[Prediction]:
    known = run.graph.known
    excluded = known[(known[:, 0] == s) & (known[:, 1] == r), 2]
    scores, chances = _entities(run, s, r)
    answers = _best(scores, _with_itself(run, excluded, s, r), k)
    return _named(run, [(s, r, o) for o in answers], scores[answers], chances[answers])


def _subjects(run: SavedRun, r: int, o: int, k: int) -> list[Prediction]:
    """Ask (?, r, o) as (o, r⁻¹, ?)."""
    known = run.graph.known
    excluded = known[(known[:, 2] == o) & (known[:, 1] == r), 0]
    scores, chances = _entities(run, o, r + run.graph.n_r)
    answers = _best(scores, _with_itself(run, excluded, o, r), k)
    return _named(run, [(s, r, o) for s in answers], scores[answers], chances[answers])


def _relations(run: SavedRun, s: int, o: int, k: int) -> list[Prediction]:
    known = run.graph.known
    excluded = known[(known[:, 0] == s) & (known[:, 2] == o), 1]
    parts = []
    for r in torch.split(torch.arange(run.graph.n_r), max(1, _BLOCK_NUMBERS // run.graph.n_e)):
        with torch.no_grad():
            of_all = run.model.score_objects(torch.full_like(r, s), r)  # (relations, n_e)
        parts.append((of_all[:, o], probabilities(run, of_all)[:, o]))
    scores, chances = (torch.cat(part) for part in zip(*parts, strict=True))
    answers = _best(chances, excluded, k)  # scores of different questions do not compare
    return _named(run, [(s, r, o) for r in answers], scores[answers], chances[answers])


@torch.no_grad()
def _entities(run: SavedRun, s: int, r: int) -> tuple[Tensor, Tensor]:
    """Return the score and the probability of every entity as the object, (n_e,)."""
    scores = run.model.score_objects(torch.tensor([s]), torch.tensor([r]))
    return scores[0], probabilities(run, scores)[0]


def _with_itself(run: SavedRun, excluded: Ids, entity: int, r: int) -> Ids:
    return excluded if reflexive(run.graph, r) else np.union1d(excluded, [entity])


def _best(scores: Tensor, excluded: Ids, k: int) -> list[int]:
    """Return the ids with the greatest scores; equal ones in the order of ids."""
    scores = scores.clone()
    scores[torch.from_numpy(excluded)] = -torch.inf
    order = torch.sort(scores, descending=True, stable=True).indices
    return [int(id) for id in order[: min(k, len(scores) - len(np.unique(excluded)))]]


def _named(
    run: SavedRun, facts: list[tuple[int, int, int]], scores: Tensor, chances: Tensor
) -> list[Prediction]:
    return [
        Prediction.of_ids(
            run.graph, *fact, score=float(score), probability=float(chance), rank=rank
        )
        for rank, (fact, score, chance) in enumerate(
            zip(facts, scores, chances, strict=True), start=1
        )
    ]
