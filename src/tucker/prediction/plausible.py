"""Which questions make sense: what kinds of subject a relation has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tucker.graph import Graph, Ids

_ALIKE = 0.75  # share of the subjects of another relation that must have this one too


def plausible_subjects(graph: Graph, r: int) -> Ids:
    """Return the entities of the kind that has relation r: observed subjects, and their like.

    An entity is alike if it has a relation whose subjects mostly have r as well: a country without
    a known currency is asked for one, a language is not.
    """
    has = _has_relation(graph)  # (n_e, n_r)
    with_r = has[:, r]
    share = (has & with_r[:, None]).sum(0) / np.maximum(has.sum(0), 1)  # (n_r,)
    return np.flatnonzero(with_r | (has & (share >= _ALIKE)).any(axis=1))


def reflexive(graph: Graph, r: int) -> bool:
    """Return whether relation r holds between any entity and itself."""
    s, relation, o = graph.train.T
    return bool(((relation == r) & (s == o)).any())


def _has_relation(graph: Graph) -> npt.NDArray[np.bool_]:
    has = np.zeros((graph.n_e, graph.n_r), dtype=np.bool_)
    has[graph.train[:, 0], graph.train[:, 1]] = True
    return has
