"""Which questions make sense: what kinds of subject and of object a relation has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tucker.graph import Graph, Ids

_ALIKE = 0.75  # share of the subjects of another relation that must have this one too


@dataclass(frozen=True, eq=False)
class Kinds:
    """Which entities stand on one side of which relation in training."""

    n_e: int
    n_r: int
    entity: Ids  # (pairs,) distinct pairs of an entity and a relation
    relation: Ids

    @classmethod
    def of_subjects(cls, graph: Graph) -> Kinds:
        """Take the subjects of every relation."""
        return cls._of(graph, 0)

    @classmethod
    def of_objects(cls, graph: Graph) -> Kinds:
        """Take the objects of every relation."""
        return cls._of(graph, 2)

    @classmethod
    def _of(cls, graph: Graph, column: int) -> Kinds:
        pairs = np.unique(graph.train[:, column] * graph.n_r + graph.train[:, 1])
        return cls(graph.n_e, graph.n_r, pairs // graph.n_r, pairs % graph.n_r)

    def plausible(self, r: int) -> Ids:
        """Return the entities of the kind that stands here: those observed, and their like.

        An entity is alike if it stands so in a relation whose entities mostly stand so in r as
        well: a country without a known currency is asked for one, a language is not.
        """
        plausible = np.zeros(self.n_e, dtype=np.bool_)
        plausible[self.entity[self.relation == r]] = True
        entities = np.bincount(self.relation, minlength=self.n_r)
        both = np.bincount(self.relation[plausible[self.entity]], minlength=self.n_r)
        alike = both >= _ALIKE * np.maximum(entities, 1)  # (n_r,)
        plausible[self.entity[alike[self.relation]]] = True
        return np.flatnonzero(plausible)


def plausible_subjects(graph: Graph, r: int) -> Ids:
    """Return the entities of the kind that has relation r."""
    return Kinds.of_subjects(graph).plausible(r)


def loops(graph: Graph) -> npt.NDArray[np.bool_]:
    """Return whether each relation holds between any entity and itself, (n_r,)."""
    s, relation, o = graph.train.T
    found = np.zeros(graph.n_r, dtype=np.bool_)
    found[relation[s == o]] = True
    return found


def reflexive(graph: Graph, r: int) -> bool:
    """Return whether relation r holds between any entity and itself."""
    return bool(loops(graph)[r])
