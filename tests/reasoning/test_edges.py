"""Edges both ways, the edges of a step, and what is known of an entity, against a list of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conftest import make_graph
from tests.reasoning import by_hand
from tests.reasoning.by_hand import N_E, N_R, SAME, facts
from tests.reasoning.conftest import steps_of
from tucker.reasoning.edges import Edges


def test_edges_go_both_ways_and_loops_nowhere(edges):
    joined = steps_of(edges)
    for r in range(N_R):
        assert joined[r + N_R] == {(y, x) for x, y in joined[r]}
        assert all(x != y for x, y in joined[r])
    steps, targets = edges.from_one(3)
    wanted = {(step, y) for step in joined for x, y in joined[step] if x == 3}
    assert set(zip(steps.tolist(), targets.tolist(), strict=True)) == wanted


def test_edges_without_a_fact_are_those_of_the_other_facts():
    graph = make_graph(n_e=12, n_r=N_R, facts=70)
    edges = Edges.of(graph.train, graph.n_e, graph.n_r)
    parts = ("first", "source", "step", "target", "begin", "by_step", "fan_out")
    for fact in graph.train:
        others = graph.train[(graph.train != fact).any(axis=1)]
        wanted = Edges.of(others, graph.n_e, graph.n_r)
        found = edges.without(*fact.tolist())
        for part in parts:
            np.testing.assert_array_equal(getattr(found, part), getattr(wanted, part))
    assert edges.without(*graph.valid[0].tolist()) is edges


def test_fan_out(edges):
    for step, pairs in steps_of(edges).items():
        assert edges.fan_out[step] == pytest.approx(len(pairs) / len({x for x, _ in pairs}))


def test_relations_that_say_the_same_are_one_step():
    edges = Edges.of(facts().numpy(), N_E, N_R, SAME.numpy())
    columns = (edges.source, edges.step, edges.target)
    assert set(zip(*map(np.ndarray.tolist, columns), strict=True)) == by_hand.edges()
    assert len(edges.step) == len(by_hand.edges())


def test_counts_and_known_edges():
    edges, found = Edges.of(facts().numpy(), N_E, N_R, SAME.numpy()), by_hand.edges()
    others = np.arange(N_E)
    for entity in range(N_E):
        assert edges.degree(np.array([entity])) == sum(s == entity for s, _, _ in found)
        for step in SAME.unique().tolist():
            own = {x for s, a, x in found if (s, a) == (entity, step)}
            assert edges.count(np.array([entity]), np.array([step])) == len(own)
            has = edges.has(np.full(N_E, entity), np.full(N_E, step), others)
            assert set(others[has].tolist()) == own
