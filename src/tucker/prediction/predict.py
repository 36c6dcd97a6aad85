"""Answers to one question about the graph."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from tucker.errors import TuckerError
from tucker.graph import Ids
from tucker.graph.schema.types import reflexive
from tucker.prediction.new import NewAnswers
from tucker.prediction.prediction import Prediction
from tucker.prediction.probability import answer_evidence, probabilities
from tucker.runs import FinishedRun

_BLOCK_NUMBERS = 1 << 24  # scores at a time when relations are asked for: 64 MiB


def predict(
    run: FinishedRun,
    *,
    subject: str | None = None,
    relation: str | None = None,
    object: str | None = None,
    k: int = 10,
) -> list[Prediction]:
    """Return the k best new answers to a question that gives two of a fact's three names.

    Facts that the graph has already, in any split, are left out; so is an entity as the answer to
    a question about itself, unless the relation is known to hold between one and itself. Their
    probability is that of being right, given that the question has a missing answer.
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


def _objects(run: FinishedRun, s: int, r: int, k: int) -> list[Prediction]:
    known = run.graph.known
    excluded = known[(known[:, 0] == s) & (known[:, 1] == r), 2]
    answers, scores, chances = _entities(run, s, r, excluded, k)
    return _named(run, [(s, r, o) for o in answers], scores, chances)


def _subjects(run: FinishedRun, r: int, o: int, k: int) -> list[Prediction]:
    """Ask (?, r, o) as (o, r⁻¹, ?)."""
    known = run.graph.known
    excluded = known[(known[:, 2] == o) & (known[:, 1] == r), 0]
    answers, scores, chances = _entities(run, o, r + run.graph.n_r, excluded, k)
    return _named(run, [(s, r, o) for s in answers], scores, chances)


@torch.no_grad()
def _entities(
    run: FinishedRun, s: int, r: int, excluded: Ids, k: int
) -> tuple[list[int], Tensor, Tensor]:
    """Return the best new objects, their scores and their probabilities."""
    new = torch.ones(1, run.graph.n_e, dtype=torch.bool)
    new[0, torch.from_numpy(excluded)] = False
    new[0, s] &= reflexive(run.graph, r % run.graph.n_r)
    relation = torch.tensor([r])
    scores = run.model.score_objects(torch.tensor([s]), relation)
    chances = probabilities(run, answer_evidence(run, scores, new), relation, new)
    answers = _best(scores[0], new[0], k)
    return answers, scores[0, answers], chances[0, answers]


@torch.no_grad()
def _relations(run: FinishedRun, s: int, o: int, k: int) -> list[Prediction]:
    graph = run.graph
    new_answers = NewAnswers(graph, graph.known[graph.known[:, 0] == s])
    parts = []
    for r in torch.split(torch.arange(graph.n_r), max(1, _BLOCK_NUMBERS // graph.n_e)):
        of_all = run.model.score_objects(torch.full_like(r, s), r)  # (relations, n_e)
        new = new_answers(torch.full_like(r, s), r)
        answer = torch.full_like(r, o)
        odds = answer_evidence(run, of_all, new, answer)
        chances = probabilities(run, odds, r, new)
        parts.append((of_all[:, o], odds[:, 0], chances[:, 0], new[:, o]))
    scores, odds, chances, candidate = (torch.cat(part) for part in zip(*parts, strict=True))
    # Scores of different questions do not compare; what is equally probable goes by evidence.
    order = np.lexsort((-odds.numpy(), -chances.numpy()))
    answers = [int(r) for r in order if candidate[r]][:k]
    return _named(run, [(s, r, o) for r in answers], scores[answers], chances[answers])


def _best(scores: Tensor, new: Tensor, k: int) -> list[int]:
    """Return the candidates with the greatest scores; equal ones in the order of ids."""
    order = torch.sort(scores.masked_fill(~new, -torch.inf), descending=True, stable=True).indices
    return [int(id) for id in order[: min(k, int(new.sum()))]]


def _named(
    run: FinishedRun, facts: list[tuple[int, int, int]], scores: Tensor, chances: Tensor
) -> list[Prediction]:
    return [
        Prediction.of_ids(
            run.graph, *fact, score=float(score), probability=float(chance), rank=rank
        )
        for rank, (fact, score, chance) in enumerate(
            zip(facts, scores, chances, strict=True), start=1
        )
    ]
