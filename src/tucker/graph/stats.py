"""A graph in figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tucker.graph.answers import Answers
from tucker.graph.graph import SPLITS, Graph, Ids
from tucker.graph.implied import implications

_SHARE = 0.8  # of a relation's facts that hold with another: from there on it is shown


def graph_stats(graph: Graph) -> dict[str, Any]:
    """Return what `tucker graph stats --json` prints: counts, notes and each relation's row.

    >>> tucker.graph_stats(tucker.load_graph("world"))["triples"]["train"]
    """
    return {
        "name": graph.name,
        "triples": {split: len(graph.split(split)) for split in SPLITS},
        "entities": graph.n_e,
        "relations": graph.n_r,
        "pairs": len(Answers.of(graph.train, graph.n_e, graph.n_r)),
        "unseen_entities": int((~graph.seen).sum()),
        "labels": count_labels(graph),
        "notes": list(graph.notes),
        "by_relation": _by_relation(graph),
        "implications": _implications(graph),
    }


def count_labels(graph: Graph) -> int:
    """Count the entities and relations that have a label."""
    labels = (graph.entities.labels, graph.relations.labels)
    return sum(int(column.count()) for column in labels if column is not None)


def _implications(graph: Graph) -> list[dict[str, Any]]:
    """Return which relation implies which in all splits, those that lack most facts first."""
    found = implications(Answers.of(graph.known, graph.n_e, graph.n_r), _SHARE)
    own = np.flatnonzero(found.premises < graph.n_r)  # the others say the same of reciprocals
    own = own[np.argsort(found.shared[own] - found.facts[own], kind="stable")]
    columns = (found.premises, found.conclusions, found.facts, found.shared)
    return [
        {
            "relation": graph.relations.name(premise),
            "implies": graph.relations.name(conclusion % graph.n_r),
            "backwards": conclusion >= graph.n_r,
            "share": shared / facts,
            "missing": facts - shared,
        }
        for premise, conclusion, facts, shared in zip(
            *(column[own].tolist() for column in columns), strict=True
        )
    ]


def _by_relation(graph: Graph) -> list[dict[str, Any]]:
    """Return a row a relation, in the order of ids; all but valid and test is of train."""
    counts = {
        split: np.bincount(graph.split(split)[:, 1], minlength=graph.n_r).tolist()
        for split in SPLITS
    }
    subjects = distinct_ends(graph.train, 0, graph.n_r).tolist()
    objects = distinct_ends(graph.train, 2, graph.n_r).tolist()
    categories = relation_categories(graph.train, graph.n_r).tolist()
    return [
        {
            "relation": graph.relations.name(r),
            **{split: counts[split][r] for split in SPLITS},
            "subjects": subjects[r],
            "objects": objects[r],
            "category": categories[r],
        }
        for r in range(graph.n_r)
    ]


CATEGORIES = ("1-1", "1-N", "N-1", "N-N")
_MANY = 1.5  # from this mean number on a side counts as many (Bordes et al. 2013)


def relation_categories(triples: Ids, n_r: int) -> npt.NDArray[np.str_]:
    """Return "1-1", "1-N", "N-1" or "N-N" for each relation, (n_r,); "" for one without triples.

    1-N says that a subject has many objects, N-1 that an object has many subjects.
    """
    facts = np.bincount(triples[:, 1], minlength=n_r)
    subjects = distinct_ends(triples, 0, n_r)
    objects = distinct_ends(triples, 2, n_r)
    many_subjects = facts >= _MANY * objects  # subjects an object, without dividing by zero
    many_objects = facts >= _MANY * subjects
    categories = np.array(CATEGORIES)[2 * many_subjects + many_objects]
    return np.where(facts > 0, categories, "")


def distinct_ends(triples: Ids, side: int, n_r: int) -> Ids:
    """Count the distinct entities on one side, 0 or 2, of each relation: (n_r,)."""
    n_e = int(triples[:, side].max(initial=-1)) + 1
    pairs = np.unique(triples[:, 1] * n_e + triples[:, side])
    return np.bincount(pairs // max(n_e, 1), minlength=n_r)
