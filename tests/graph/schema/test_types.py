from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.conftest import make_graph
from tucker.graph import Graph, Vocabulary, load_graph
from tucker.graph.schema.types import _ALIKE, Kinds, loops

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
    found = Kinds(graph).entities_of(graph.relations.id(relation))
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
    roles = range(2 * graph.n_r)
    having = {role: set() for role in roles}
    for s, r, o in graph.train.tolist():
        having[r].add(s)
        having[r + graph.n_r].add(o)
    kinds = Kinds(graph)
    found = {}
    for role in roles:
        found[role] = set(having[role])
        for other in roles:
            both = having[other] & having[role]
            if having[other] and len(both) / len(having[other]) >= _ALIKE:
                found[role] |= having[other]
        assert kinds.entities_of(role).tolist() == sorted(found[role])
    for entity in range(graph.n_e):
        assert set(kinds.roles_of(entity).tolist()) == {r for r in roles if entity in found[r]}


def test_the_roles_that_an_entity_has_stand_first():
    graph = named_graph(FACTS)
    roles = Kinds(graph).roles_of(graph.entities.id("Atlantis")).tolist()
    names = [graph.relations.name(role % graph.n_r) for role in roles]
    assert names == ["capital", "currency"]


def test_what_it_is_the_object_of_tells_what_it_may_be_the_subject_of():
    facts = [(f"p{i}", "lives in", f"city{i}") for i in range(4)]
    facts += [(f"city{i}", "country", "Norway") for i in range(3)]
    assert subjects(named_graph(facts), "country") == [f"city{i}" for i in range(4)]


def test_nearly_all_held_out_questions_of_the_bundled_graph_are_asked():
    world = load_graph("world")
    kinds = Kinds(world)
    s, r, o = np.concatenate([world.valid, world.test]).T
    questions = [*zip(s, r, strict=True), *zip(o, r + world.n_r, strict=True)]
    asked = np.mean([role in kinds.roles_of(entity) for entity, role in questions])
    assert asked == pytest.approx(0.94, abs=0.005)


def test_a_relation_is_reflexive_if_train_has_one_loop():
    graph = named_graph(FACTS, test=[("Norway", "capital", "Norway")])
    found = {graph.relations.name(r): bool(holds) for r, holds in enumerate(loops(graph))}
    assert found == {"branch": False, "capital": False, "currency": False, "twin": True}
