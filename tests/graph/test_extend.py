from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tests.conftest import make_graph
from tucker.errors import GraphError, TuckerError, UnknownNameError
from tucker.graph import Vocabulary
from tucker.graph.extend import extend_graph, extends, same_facts


def table(*facts):
    return pl.DataFrame(facts, ["subject", "relation", "object"], orient="row")


def test_new_facts_and_names_come_last(graph):
    more = extend_graph(graph, table(("z", "r0", "e1"), ("a", "r1", "z"), ("z", "r0", "e1")))
    assert more.entities.names.to_list()[12:] == ["a", "z"]
    assert more.entities.names.head(12).equals(graph.entities.names)
    assert more.train[len(graph.train) :].tolist() == [[12, 1, 13], [13, 0, 1]]
    assert more.notes[-1] == "Added 2 facts and 2 entities."
    assert extends(more, graph)
    assert not extends(graph, more)


def test_facts_of_any_split_are_not_added_again(graph):
    for s, r, o in (graph.train[0], graph.valid[0], graph.test[0]):
        more = extend_graph(graph, table((f"e{s}", f"r{r}", f"e{o}")))
        assert np.array_equal(more.train, graph.train)


def test_labels_of_the_old_names_stay(graph):
    labels = pl.Series(["Zero", *[None] * 11], dtype=pl.String)
    labelled = replace(graph, entities=Vocabulary("entity", graph.entities.names, labels))
    more = extend_graph(labelled, table(("new", "r0", "e1")))
    assert (more.entities.label(0), more.entities.label(12)) == ("Zero", None)


def test_a_label_stands_for_the_one_entity_that_has_it(graph):
    labels = pl.Series(["Zero", "Twin", "Twin", "e5", *[None] * 8], dtype=pl.String)
    labelled = replace(graph, entities=Vocabulary("entity", graph.entities.names, labels))
    more = extend_graph(labelled, table(("new", "r0", "Zero"), ("Zero", "r1", "e5")))
    assert more.entities.names.to_list()[12:] == ["new"]
    e5 = graph.entities.id("e5")
    assert [12, 0, 0] in more.train.tolist()
    assert [0, 1, e5] in more.known.tolist()  # a name goes before a label
    with pytest.raises(TuckerError, match=r"several of the graph have the label 'Twin': .*give a"):
        extend_graph(labelled, table(("new", "r0", "Twin")))


def test_relations_must_be_known_by_name(graph):
    with pytest.raises(UnknownNameError, match="no relation 'r7'"):
        extend_graph(graph, table(("e1", "r7", "e2")))
    relations = Vocabulary("relation", graph.relations.names, pl.Series(["likes", None, None]))
    with pytest.raises(GraphError, match="'likes' is the label of a relation"):
        extend_graph(replace(graph, relations=relations), table(("e1", "likes", "e2")))


def test_another_graph_extends_nothing(graph):
    assert extends(graph, graph)
    assert not extends(make_graph(n_e=13, seed=1), graph)


def test_the_same_facts_are_the_same_however_they_are_split(graph):
    turned = replace(graph, train=graph.known[::-1], valid=graph.valid[:0], test=graph.test[:1])
    assert same_facts(graph, turned)
    assert not same_facts(graph, replace(graph, train=graph.train[1:]))
    assert not same_facts(graph, make_graph(n_e=13))
    other = Vocabulary("relation", pl.Series(["r0", "r1", "r3"]))
    assert not same_facts(graph, replace(graph, relations=other))


def test_the_order_of_added_facts_does_not_matter(graph):
    facts = [("z", "r0", "e1"), ("a", "r1", "z"), ("e3", "r0", "a")]
    one, other = (extend_graph(graph, table(*some)) for some in (facts, facts[::-1]))
    assert np.array_equal(one.train, other.train)
