from __future__ import annotations

import json
from dataclasses import replace

from tucker.graph import graph_stats


def test_the_figures_of_a_graph(make_graph):
    graph = make_graph(
        [("a", "has", "b"), ("a", "has", "c"), ("b", "likes", "c")],
        valid=[("a", "has", "d")],
        test=[("c", "likes", "a"), ("d", "likes", "a")],
        labels={"a": "Anna", "has": "has got"},
    )
    stats = graph_stats(replace(graph, notes=("A note.",)))
    assert stats == {
        "name": "made",
        "triples": {"train": 3, "valid": 1, "test": 2},
        "entities": 4,
        "relations": 2,
        "pairs": 5,  # (a, has), (b, likes); (b, has⁻¹), (c, has⁻¹), (c, likes⁻¹)
        "unseen_entities": 1,
        "labels": 2,
        "notes": ["A note."],
        "by_relation": [
            {
                "relation": "has",
                "train": 2,
                "valid": 1,
                "test": 0,
                "subjects": 1,
                "objects": 2,
                "category": "1-N",
            },
            {
                "relation": "likes",
                "train": 1,
                "valid": 0,
                "test": 2,
                "subjects": 1,
                "objects": 1,
                "category": "1-1",
            },
        ],
        "implications": [],
    }
    assert json.loads(json.dumps(stats)) == stats


def test_which_relations_imply_which(make_graph):
    pairs = [(f"a{i}", f"b{i}") for i in range(13)]
    facts = [(a, "has", b) for a, b in pairs[:12]] + [(b, "of", a) for a, b in pairs]
    facts += [(a, "wants", b) for a, b in [*pairs[:11], ("a0", "b9"), ("a1", "b9")]]
    graph = make_graph(facts[1:], valid=facts[:1], test=facts[:1])  # held out is not missing
    assert graph_stats(graph)["implications"] == [
        {"relation": "of", "implies": "wants", "backwards": True, "share": 11 / 13, "missing": 2},
        {"relation": "wants", "implies": "has", "backwards": False, "share": 11 / 13, "missing": 2},
        {"relation": "wants", "implies": "of", "backwards": True, "share": 11 / 13, "missing": 2},
        {"relation": "has", "implies": "wants", "backwards": False, "share": 11 / 12, "missing": 1},
        {"relation": "of", "implies": "has", "backwards": True, "share": 12 / 13, "missing": 1},
        {"relation": "has", "implies": "of", "backwards": True, "share": 1.0, "missing": 0},
    ]
