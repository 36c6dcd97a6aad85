from __future__ import annotations

import numpy as np

from tests.conftest import make_graph as drawn_graph
from tucker.graph import with_reciprocals


def test_counts_splits_and_known_facts(make_graph):
    graph = make_graph([("a", "r", "b")], [("b", "r", "a")], [("a", "s", "c")])
    assert (graph.n_e, graph.n_r) == (3, 2)
    assert np.array_equal(graph.split("test"), graph.test)
    assert graph.known.tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 2]]
    assert graph.seen.tolist() == [True, True, False]


def test_each_triple_has_a_number_of_its_own():
    graph = drawn_graph(n_e=4, n_r=3)
    every = np.stack(np.meshgrid(range(4), range(3), range(4)), axis=-1).reshape(-1, 3)
    assert sorted(graph.codes(every)) == list(range(48))
    assert graph.codes(every[:0]).tolist() == []


def test_reciprocals_ask_for_objects_only():
    triples = np.array([[0, 1, 2], [3, 0, 4]])
    both = with_reciprocals(triples, 5)
    assert both.tolist() == [[0, 1, 2], [3, 0, 4], [2, 6, 0], [4, 5, 3]]
    assert triples.tolist() == [[0, 1, 2], [3, 0, 4]]
