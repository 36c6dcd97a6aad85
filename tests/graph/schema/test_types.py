from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.conftest import make_graph
from tucker.graph import Graph, Vocabulary
from tucker.graph.schema.types import _ALIKE, plausible_subjects, reflexive

FACTS = [
    ("Norway", "capital", "Oslo"),
    ("Norway", "currency", "krone"),
    ("Sweden", "capital", "Stockholm"),
    ("Sweden", "currency", "krona"),
    ("Denmark", "capital", "Copenhagen"),
    ("Denmark", "currency", "krone"),
    ("Iceland", "capital", "Reykjavík"),
    ("Iceland", "currency", "króna"),
    ("Atlantis", "capital", "Poseidonis"),  # a country without a known currency
    ("Norse", "branch", "Germanic"),  # a language
    ("Oslo", "twin", "Oslo"),
]
COUNTRIES = ["Atlantis", "Denmark", "Iceland", "Norway", "Sweden"]


def named_graph(facts, test=()):
    every = [*facts, *test]
    entities = sorted({name for s, _, o in every for name in (s, o)})
    relations = sorted({r for _, r, _ in every})

    def ids(triples):
        rows = [(entities.index(s), relations.index(r), entities.index(o)) for s, r, o in triples]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    return Graph(
        "named",
        Vocabulary("entity", pl.Series(entities)),
        Vocabulary("relation", pl.Series(relations)),
        ids(facts),
        ids([]),
        ids(test),
    )


def subjects(graph, relation):
    found = plausible_subjects(graph, graph.relations.id(relation))
    return [graph.entities.name(id) for id in found]


def test_an_entity_of_the_same_kind_is_asked_and_another_is_not():
    graph = named_graph(FACTS)
    assert subjects(graph, "currency") == COUNTRIES
    assert subjects(graph, "branch") == ["Norse"]
    assert subjects(graph, "twin") == ["Oslo"]


def test_only_train_says_what_is_plausible():
    graph = named_graph(FACTS, test=[("Germanic", "currency", "krone")])
    assert subjects(graph, "currency") == COUNTRIES


def test_most_of_the_subjects_are_enough_and_few_are_not():
    four = [(s, r, "x") for s in "abcd" for r in ("r", "q")]
    assert subjects(named_graph([*four, ("e", "q", "x")]), "r") == list("abcde")
    assert subjects(named_graph([*four, *((s, "q", "x") for s in "efghi")]), "r") == list("abcd")


@pytest.mark.parametrize("seed", range(8))
def test_against_brute_force(seed):
    graph = make_graph(n_e=15, n_r=5, facts=40, seed=seed)
    having = {r: {s for s, q, _ in graph.train.tolist() if q == r} for r in range(graph.n_r)}
    for r in range(graph.n_r):
        wanted = set(having[r])
        for q in range(graph.n_r):
            if having[q] and len(having[q] & having[r]) / len(having[q]) >= _ALIKE:
                wanted |= having[q]
        assert plausible_subjects(graph, r).tolist() == sorted(wanted)


def test_a_relation_is_reflexive_if_train_has_one_loop():
    graph = named_graph(FACTS, test=[("Norway", "capital", "Norway")])
    found = {graph.relations.name(r): reflexive(graph, r) for r in range(graph.n_r)}
    assert found == {"branch": False, "capital": False, "currency": False, "twin": True}
