"""The training facts as edges that can be walked both ways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tucker.graph import Answers, Ids


@dataclass(frozen=True, eq=False)
class Edges:
    """Distinct facts and their reciprocals, without loops, by relation and by source.

    A step is a relation id; those from n_r on walk a relation backwards.
    """

    n_e: int
    n_r: int
    answers: Answers  # by relation, then source
    first: Ids  # (n_e + 1,) where the edges of each source begin
    relations: Ids  # (edges,) by source
    targets: Ids  # (edges,) by source

    @classmethod
    def of(cls, triples: Ids, n_e: int, n_r: int) -> Edges:
        """Index triples; an edge from an entity to itself leads nowhere and is left out."""
        answers = Answers.of(triples[triples[:, 0] != triples[:, 2]], n_e, n_r)
        source = np.repeat(answers.subjects, answers.counts)
        relation = np.repeat(answers.relations, answers.counts)
        order = np.argsort(source, kind="stable")
        first = np.searchsorted(source[order], np.arange(n_e + 1))
        return cls(n_e, n_r, answers, first, relation[order], answers.objects[order])

    def backwards(self, steps: Ids) -> Ids:
        """Return the same steps walked the other way."""
        return (steps + self.n_r) % (2 * self.n_r)

    def from_one(self, entity: int) -> tuple[Ids, Ids]:
        """Return the steps and targets of the edges of an entity."""
        here = slice(self.first[entity], self.first[entity + 1])
        return self.relations[here], self.targets[here]

    def degrees(self, entities: Ids) -> Ids:
        """Return how many edges each of some entities has, both ways."""
        return self.first[entities + 1] - self.first[entities]

    def from_many(self, entities: Ids) -> tuple[Ids, Ids, Ids]:
        """Return the edges of some entities, flat: the row of each, its step and its target."""
        counts = self.degrees(entities)
        rows = np.repeat(np.arange(len(entities)), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = self.first[entities][rows] + within
        return rows, self.relations[places], self.targets[places]

    def of_step(self, step: int) -> tuple[Ids, Ids]:
        """Return the sources and targets of all edges of one step, ordered by both."""
        answers = self.answers
        low, high = np.searchsorted(answers.keys, [step * self.n_e, (step + 1) * self.n_e])
        rows, targets = answers.take(np.arange(low, high))
        return answers.subjects[low:high][rows], targets

    def pairs(self, step: int) -> Ids:
        """Return the edges of one step as single numbers, source * n_e + target, ascending."""
        sources, targets = self.of_step(step)
        return sources * self.n_e + targets
