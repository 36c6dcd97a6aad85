"""Answers to one question about the graph."""

from __future__ import annotations

import torch

from tucker.errors import TuckerError
from tucker.prediction.asker import Asker
from tucker.prediction.prediction import Prediction
from tucker.runs import FinishedRun


def predict(
    run: FinishedRun,
    *,
    subject: str | None = None,
    relation: str | None = None,
    object: str | None = None,
    k: int = 10,
    asker: Asker | None = None,
) -> list[Prediction]:
    """Return the k best new answers to a question that gives two of a fact's three names.

    Facts that the graph has already, in any split, are left out; so is an entity as the answer to
    a question about itself, unless the relation is known to hold between one and itself. Their
    probability is that of being right, given that the question has a missing answer. Who asks
    often keeps an `asker`.
    """
    if k < 1:
        raise TuckerError(f"k must be at least 1; found {k}")
    graph, asker = run.graph, asker or Asker(run)
    entities, relations = graph.entities, graph.relations
    if subject is not None and relation is not None and object is None:
        return _entities(asker, entities.id(subject), relations.id(relation), k)
    if relation is not None and object is not None and subject is None:
        r = relations.id(relation) + graph.n_r
        return _entities(asker, entities.id(object), r, k)
    if subject is not None and object is not None and relation is None:
        return _relations(asker, entities.id(subject), entities.id(object), k)
    raise TuckerError("a question gives two of subject, relation and object")


def _entities(asker: Asker, s: int, r: int, k: int) -> list[Prediction]:
    (found,) = asker.best(torch.tensor([s]), torch.tensor([r]), k)
    return Prediction.of_answers(asker.run.graph, s, r, found)


def _relations(asker: Asker, s: int, o: int, k: int) -> list[Prediction]:
    relations, found = asker.best_relations(s, o, k)
    facts = [(s, r, o) for r in relations.tolist()]
    return Prediction.ranked(asker.run.graph, facts, found.scores, found.chances)
