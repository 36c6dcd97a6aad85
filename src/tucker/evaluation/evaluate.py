"""The evaluation of a model on one split of a graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tucker.errors import GraphError
from tucker.evaluation.metrics import Metrics
from tucker.evaluation.ranking import Ranks, Ties, rank
from tucker.graph import CATEGORIES, Answers, Graph, Ids, Split, relation_categories
from tucker.models import Model

By = Literal["relation", "side", "category"]


@dataclass(frozen=True)
class Evaluation:
    """Filtered ranking metrics of a split: of all its triples, and of those seen in training."""

    split: Split  # whose facts were ranked
    ties: Ties  # how equal scores were ranked
    triples: int  # how many facts
    metrics: Metrics  # over all of them
    seen_triples: int  # how many of them have both entities in training
    seen_only: Metrics  # triples whose two entities both occur in training
    by: dict[str, Metrics] = field(default_factory=dict)  # the same for each group, if asked for

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank over all triples and both sides."""
        return self.metrics.mrr

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker evaluate --json` prints."""
        result: dict[str, Any] = {"split": self.split, "ties": self.ties, "triples": self.triples}
        result |= self.metrics.as_dict()
        result["seen_only"] = {"triples": self.seen_triples, **self.seen_only.as_dict()}
        if self.by:
            result["by"] = {name: metrics.as_dict() for name, metrics in self.by.items()}
        return result


def evaluate(
    model: Model,
    graph: Graph,
    split: Split = "test",
    *,
    ties: Ties = "realistic",
    by: By | None = None,
    known: Answers | None = None,
) -> Evaluation:
    """Rank the answers of a split on both sides, other known answers left out.

    `known`, the answers to leave out, is made from the graph unless given.
    """
    triples = graph.split(split)
    if not len(triples):
        raise GraphError(f"the graph {graph.name} has no {split} facts to evaluate on")
    if known is None:
        known = Answers.of(graph.answers_known_at(split), graph.n_e, graph.n_r)
    ranks = rank(model, triples, known, graph.n_r)
    seen = graph.seen[triples[:, 0]] & graph.seen[triples[:, 2]]
    return Evaluation(
        split=split,
        ties=ties,
        triples=len(triples),
        metrics=_metrics(ranks, ties, np.ones((2, len(triples)), dtype=np.bool_)),
        seen_triples=int(seen.sum()),
        seen_only=_metrics(ranks, ties, np.stack([seen, seen])),
        by={
            name: _metrics(ranks, ties, chosen)
            for name, chosen in (_parts(graph, triples, by) if by else {}).items()
        },
    )


def _metrics(ranks: Ranks, ties: Ties, chosen: npt.NDArray[np.bool_]) -> Metrics:
    return Metrics.of(ranks.ranks(ties)[chosen], ranks.candidates[chosen])


def _parts(graph: Graph, triples: Ids, by: By) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which of the (2, triples) ranks belong to each part."""
    relation = triples[:, 1]
    if by == "side":
        side = np.arange(2)[:, None] == np.zeros(len(triples))
        return {"object": side, "subject": ~side}
    if by == "relation":
        return {graph.relations.name(r): np.stack([relation == r] * 2) for r in np.unique(relation)}
    category = relation_categories(graph.train, graph.n_r)[relation]
    return {
        name: np.stack([category == name] * 2) for name in CATEGORIES if (category == name).any()
    }
