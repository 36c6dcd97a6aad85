"""A graph in figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from tucker.graph.answers import Answers
from tucker.graph.categories import distinct_ends, relation_categories
from tucker.graph.graph import SPLITS, Graph
from tucker.graph.implied import implications

_SHARE = 0.8  # of a relation's facts that hold with another: from there on it is shown


def graph_stats(graph: Graph) -> dict[str, Any]:
    """Return what `tucker graph stats --json` prints: counts, notes and each relation's row."""
    labels = [
        int(vocabulary.labels.count())
        for vocabulary in (graph.entities, graph.relations)
        if vocabulary.labels is not None
    ]
    return {
        "name": graph.name,
        "triples": {split: len(graph.split(split)) for split in SPLITS},
        "entities": graph.n_e,
        "relations": graph.n_r,
        "pairs": len(Answers.of(graph.train, graph.n_e, graph.n_r)),
        "unseen_entities": int((~graph.seen).sum()),
        "labels": sum(labels),
        "notes": list(graph.notes),
        "by_relation": _by_relation(graph),
        "implications": _implications(graph),
    }


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
