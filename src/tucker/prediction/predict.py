"""Answers to one question about the graph."""

from __future__ import annotations

import torch

from tucker.errors import TuckerError
from tucker.prediction.asker import Answered, Asker
from tucker.prediction.order import best_first
from tucker.prediction.prediction import Prediction
from tucker.runs import FinishedRun


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
    graph = run.graph
    entities, relations = graph.entities, graph.relations
    if subject is not None and relation is not None and object is None:
        return _entities(Asker(run), entities.id(subject), relations.id(relation), k)
    if relation is not None and object is not None and subject is None:
        r = relations.id(relation) + graph.n_r
        return _entities(Asker(run), entities.id(object), r, k)
    if subject is not None and object is not None and relation is None:
        return _relations(Asker(run), entities.id(subject), entities.id(object), k)
    raise TuckerError("a question gives two of subject, relation and object")


def _entities(asker: Asker, s: int, r: int, k: int) -> list[Prediction]:
    (found,) = asker.best(torch.tensor([s]), torch.tensor([r]), k)
    return Prediction.of_answers(asker.run.graph, s, r, found)


def _relations(asker: Asker, s: int, o: int, k: int) -> list[Prediction]:
    """Return the most probable relations: scores of different questions do not compare."""
    parts = []
    for r in torch.split(torch.arange(asker.run.graph.n_r), asker.at_once):
        asked, scores, new = asker.ask(torch.full_like(r, s), r)
        rows = torch.nonzero(new[:, o]).flatten()
        answers = asked.answered(scores[rows, o], rows, torch.full_like(rows, o))
        parts.append((r[rows], answers))
    r, found = torch.cat([r for r, _ in parts]), Answered.join([answers for _, answers in parts])
    order = best_first(found.chances, found.evidence)[:k]
    facts = [(s, relation, o) for relation in r[order].tolist()]
    return Prediction.ranked(asker.run.graph, facts, found.scores[order], found.chances[order])
