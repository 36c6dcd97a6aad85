"""A graph in figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from tucker.graph.categories import distinct_ends, relation_categories
from tucker.graph.graph import SPLITS, Graph, with_reciprocals


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
        "pairs": _pairs(graph),
        "unseen_entities": int((~graph.seen).sum()),
        "labels": sum(labels),
        "notes": list(graph.notes),
        "by_relation": _by_relation(graph),
    }


def _pairs(graph: Graph) -> int:
    """Count the distinct (subject, relation) pairs of train: the questions that it answers."""
    s, r, _ = with_reciprocals(graph.train, graph.n_r).T
    return len(np.unique(r * graph.n_e + s))


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
