"""One predicted fact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from tucker.graph import Graph
from tucker.prediction.asker import Answered


@dataclass(frozen=True)
class Prediction:
    """A fact that the graph does not have, with how much the model believes it.

    As the answer to a question, its probability is that of being right, given that the question has
    a missing answer; as a fact by itself, discovered or scored, that of being missing.
    """

    subject: str  # its name
    relation: str  # its name
    object: str  # its name
    score: float  # φ(s, r, o)
    probability: float  # from 0 to 1
    rank: int  # its place among the answers, from 1
    labels: dict[str, str]  # of those of the three names that have one

    @classmethod
    def of_ids(
        cls, graph: Graph, s: int, r: int, o: int, *, score: float, probability: float, rank: int
    ) -> Prediction:
        """Name a fact given by ids."""
        labels = {
            "subject": graph.entities.label(s),
            "relation": graph.relations.label(r),
            "object": graph.entities.label(o),
        }
        return cls(
            subject=graph.entities.name(s),
            relation=graph.relations.name(r),
            object=graph.entities.name(o),
            score=score,
            probability=probability,
            rank=rank,
            labels={part: label for part, label in labels.items() if label},
        )

    @classmethod
    def ranked(
        cls,
        graph: Graph,
        facts: Iterable[tuple[int, int, int]],
        scores: Tensor,
        chances: Tensor,
        ranks: Iterable[int] | None = None,
    ) -> list[Prediction]:
        """Name facts given by ids, with what is said of them; without `ranks`, the best first."""
        columns = facts, scores.tolist(), chances.tolist(), ranks or range(1, len(scores) + 1)
        return [
            cls.of_ids(graph, *fact, score=score, probability=chance, rank=rank)
            for fact, score, chance, rank in zip(*columns, strict=True)
        ]

    @classmethod
    def of_answers(cls, graph: Graph, s: int, r: int, found: Answered) -> list[Prediction]:
        """Name the answers to a question (s, r, ?), the best first; r may be a reciprocal."""
        facts = (
            (s, r, o) if r < graph.n_r else (o, r - graph.n_r, s) for o in found.entities.tolist()
        )
        return cls.ranked(graph, facts, found.scores, found.chances)

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        result: dict[str, Any] = {
            "subject": self.subject,
            "relation": self.relation,
            "object": self.object,
            "score": self.score,
            "probability": self.probability,
            "rank": self.rank,
        }
        return result | ({"labels": self.labels} if self.labels else {})
