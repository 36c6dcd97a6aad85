"""Which questions make sense: what kinds of subject a relation has."""

from __future__ import annotations

import numpy as np

from tucker.graph import Graph, Ids

_ALIKE = 0.75  # share of the subjects of another relation that must have this one too


def plausible_subjects(graph: Graph, r: int) -> Ids:
    """Return the entities of the kind that has relation r: observed subjects, and their like.

    An entity is alike if it has a relation whose subjects mostly have r as well: a country without
    a known currency is asked for one, a language is not.
    """
    has = np.unique(graph.train[:, 0] * graph.n_r + graph.train[:, 1])  # distinct (s, relation)
    s, relation = has // graph.n_r, has % graph.n_r
    plausible = np.zeros(graph.n_e, dtype=np.bool_)
    plausible[s[relation == r]] = True
    subjects = np.bincount(relation, minlength=graph.n_r)
    shared = np.bincount(relation[plausible[s]], minlength=graph.n_r)
    alike = shared >= _ALIKE * np.maximum(subjects, 1)  # (n_r,)
    plausible[s[alike[relation]]] = True
    return np.flatnonzero(plausible)


def reflexive(graph: Graph, r: int) -> bool:
    """Return whether relation r holds between any entity and itself."""
    s, relation, o = graph.train.T
    return bool(((relation == r) & (s == o)).any())
