from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph import graph_stats, relation_categories


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


N_R = 4
ids = st.tuples(st.integers(0, 5), st.integers(0, N_R - 1), st.integers(0, 5))


def by_hand(triples):
    categories = [""] * N_R
    for r in {r for _, r, _ in triples}:
        subjects, objects = defaultdict(set), defaultdict(set)
        for s, relation, o in triples:
            if relation == r:
                subjects[o].add(s)
                objects[s].add(o)
        mean_subjects = np.mean([len(found) for found in subjects.values()])
        mean_objects = np.mean([len(found) for found in objects.values()])
        categories[r] = (
            f"{'N' if mean_subjects >= 1.5 else '1'}-{'N' if mean_objects >= 1.5 else '1'}"
        )
    return categories


@given(st.sets(ids))
def test_categories_are_those_of_the_mean_numbers(triples):
    array = np.array(list(triples), dtype=np.int64).reshape(-1, 3)
    assert relation_categories(array, N_R).tolist() == by_hand(triples)


def test_each_category():
    capital = [(0, 0, 10), (1, 0, 11)]
    has_part = [(0, 1, 10), (0, 1, 11), (0, 1, 12)]
    located_in = [(10, 2, 0), (11, 2, 0)]
    borders = [(0, 3, 1), (1, 3, 0), (0, 3, 2), (2, 3, 0), (1, 3, 2), (2, 3, 1)]
    triples = np.array(capital + has_part + located_in + borders)
    assert relation_categories(triples, 5).tolist() == ["1-1", "1-N", "N-1", "N-N", ""]
