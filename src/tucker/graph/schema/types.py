"""Which questions make sense: the kinds of entity that stand in each role."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt

from tucker.graph.answers import with_reciprocals
from tucker.graph.graph import Graph, Ids

_ALIKE = 0.75  # share of those in one role who must be in another as well


class Kinds:
    """Which entities belong in which role of training, and the other way round.

    A role is one side of a relation: r for its subjects, r + n_r for its objects. An entity
    belongs in a role that it has, or that most of those have with whom it shares a role: a country
    without a known currency is asked for one, a language is not.
    """

    def __init__(self, graph: Graph) -> None:
        self.n_e, self._roles = graph.n_e, 2 * graph.n_r
        s, r, _ = with_reciprocals(graph.train, graph.n_r).T
        pairs = np.unique(s * self._roles + r)  # distinct pairs of entity and role, by entity
        self._entity, self._role = pairs // self._roles, pairs % self._roles
        self._counts = np.bincount(self._role, minlength=self._roles)
        self._first = np.searchsorted(self._entity, np.arange(graph.n_e + 1))
        self._implied: dict[int, Ids] = {}
        self._lock = threading.Lock()

    def entities_of(self, role: int) -> Ids:
        """Return the entities that belong in a role, ascending."""
        found = np.zeros(self.n_e, dtype=np.bool_)
        found[self._entity[self._role == role]] = True
        both = np.bincount(self._role[found[self._entity]], minlength=self._roles)
        alike = (both >= _ALIKE * self._counts) & (self._counts > 0)
        found[self._entity[alike[self._role]]] = True
        return np.flatnonzero(found)

    def roles_of(self, entity: int) -> Ids:
        """Return the roles that an entity belongs in, those it has first."""
        own = self._role[self._first[entity] : self._first[entity + 1]]
        others = [self._implied_by(role) for role in own.tolist()]
        return np.concatenate([own, np.setdiff1d(np.concatenate([own[:0], *others]), own)])

    def _implied_by(self, role: int) -> Ids:
        """Return the roles that most of those in a role have."""
        with self._lock:
            if role not in self._implied:
                entities = self._entity[self._role == role]
                theirs = np.isin(self._entity, entities)
                both = np.bincount(self._role[theirs], minlength=self._roles)
                self._implied[role] = np.flatnonzero(both >= _ALIKE * len(entities))
            return self._implied[role]


def loops(graph: Graph) -> npt.NDArray[np.bool_]:
    """Return whether each relation holds between any entity and itself, (n_r,)."""
    s, relation, o = graph.train.T
    found = np.zeros(graph.n_r, dtype=np.bool_)
    found[relation[s == o]] = True
    return found
