"""What an explanation says, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tucker.graph import Graph, Split
from tucker.prediction.explain.similar_facts import FactAlike
from tucker.reasoning.patterns import PatternCount


@dataclass(frozen=True)
class FactReason:
    """A known fact of the same relation that the model sees as like the one in question."""

    subject: str  # its name
    object: str  # its name
    alike: FactAlike  # how like it is

    @classmethod
    def of(cls, graph: Graph, alike: FactAlike) -> FactReason:
        """Name a fact given by ids."""
        return cls(graph.entities.name(alike.s), graph.entities.name(alike.o), alike)

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "subject": self.subject,
            "object": self.object,
            "likeness": self.alike.likeness,
            "query_cosine": self.alike.query_cosine,
            "object_cosine": self.alike.object_cosine,
        }


@dataclass(frozen=True)
class Step:
    """A relation walked from its subject to its object, or backwards."""

    relation: str  # its name
    backwards: bool  # whether it is walked from object to subject

    @classmethod
    def of(cls, graph: Graph, step: int) -> Step:
        """Name a relation id; those from n_r on walk a relation backwards."""
        return cls(graph.relations.name(step % graph.n_r), step >= graph.n_r)

    def said(self, labels: Mapping[str, str]) -> str:
        """Say it in a word, by the relation's label if it has one."""
        return labels.get(self.relation, self.relation) + "⁻¹" * self.backwards

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {"relation": self.relation, "backwards": self.backwards}


@dataclass(frozen=True)
class PathReason:
    """Paths of one pattern between subject and object, and how the pattern goes with the relation.

    `entities` are those of one of the paths, from the subject to the object.
    """

    steps: list[Step]  # the relations of the pattern, in order
    entities: list[str]  # of one of the paths, from subject to object
    paths: int  # how many there are
    count: PatternCount  # how well the pattern goes with the relation

    def note(self, labels: Mapping[str, str]) -> str:
        """Say, by labels where there are any, that the pattern was counted from some subjects."""
        pattern = ", ".join(step.said(labels) for step in self.steps)
        count = self.count
        return (
            f"the pattern {pattern} was counted from {count.subjects:,} of its "
            f"{count.of_subjects:,} subjects, drawn at random"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "steps": [step.as_dict() for step in self.steps],
            "entities": self.entities,
            "paths": self.paths,
            "support": self.count.support,
            "joined": self.count.joined,
            "confidence": self.count.confidence,
            "sampled": self.count.sampled,
        }


@dataclass(frozen=True)
class Explanation:
    """The reasons of one fact, all of them counted from the training facts."""

    subject: str  # its name
    relation: str  # its name
    object: str  # its name
    score: float  # φ(s, r, o)
    known: Split | None  # the split that has the fact already
    facts: list[FactReason]  # the known facts that are most like it
    paths: list[PathReason]  # from its subject to its object
    notes: list[str]  # what was counted only in part
    labels: dict[str, str]  # of those of all these names that have one

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "subject": self.subject,
            "relation": self.relation,
            "object": self.object,
            "score": self.score,
            "known": self.known,
            **self.reasons(),
        }

    def reasons(self) -> dict[str, Any]:
        """Return the reasons alone, as they stand beside a prediction."""
        return {
            "facts": [fact.as_dict() for fact in self.facts],
            "paths": [path.as_dict() for path in self.paths],
            "notes": self.notes,
        } | ({"labels": self.labels} if self.labels else {})


def labels_of(
    graph: Graph, fact: tuple[str, str, str], facts: list[FactReason], paths: list[PathReason]
) -> dict[str, str]:
    """Return the labels of a fact's names and of those in its reasons, by name."""
    subject, relation, object = fact
    relations = [relation, *(step.relation for path in paths for step in path.steps)]
    entities = [subject, object, *(name for path in paths for name in path.entities)]
    entities += [name for one in facts for name in (one.subject, one.object)]
    labels = {}
    for vocabulary, names in ((graph.relations, relations), (graph.entities, entities)):
        for name in names:
            if label := vocabulary.label(vocabulary.id(name)):
                labels[name] = label
    return labels
