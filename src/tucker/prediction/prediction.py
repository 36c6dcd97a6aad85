"""One predicted fact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tucker.graph import Graph


@dataclass(frozen=True)
class Prediction:
    """A fact that the graph does not have, with how much the model believes it.

    As the answer to a question, its probability is that of being right, given that the question has
    a missing answer; as a fact by itself, discovered or scored, that of being missing.
    """

    subject: str
    relation: str
    object: str
    score: float
    probability: float
    rank: int
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
