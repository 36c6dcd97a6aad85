from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.conftest import make_graph
from tucker.reasoning.edges import Edges
from tucker.reasoning.paths import find_paths
from tucker.reasoning.patterns import count_pattern

N_R = 3


@pytest.fixture(params=range(3))
def edges(request) -> Edges:
    graph = make_graph(n_e=12, n_r=N_R, facts=70, seed=request.param)
    return Edges.of(graph.train, graph.n_e, graph.n_r)


def steps_of(edges: Edges) -> dict[int, set[tuple[int, int]]]:
    return {
        step: set(
            zip(
                *map(np.ndarray.tolist, (edges.step(step).sources, edges.step(step).targets)),
                strict=True,
            )
        )
        for step in range(2 * N_R)
    }


def simple_paths(edges: Edges, pattern: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Walk a pattern from everywhere by brute force, visiting no entity twice."""
    joined = steps_of(edges)
    paths = [(x,) for x in range(edges.n_e)]
    for step in pattern:
        paths = [
            (*path, y) for path in paths for x, y in joined[step] if x == path[-1] and y not in path
        ]
    return paths


def all_patterns() -> list[tuple[int, ...]]:
    return [p for length in (1, 2, 3) for p in product(range(2 * N_R), repeat=length)]


def test_edges_go_both_ways_and_loops_nowhere(edges):
    joined = steps_of(edges)
    for r in range(N_R):
        assert joined[r + N_R] == {(y, x) for x, y in joined[r]}
        assert all(x != y for x, y in joined[r])
    steps, targets = edges.from_one(3)
    wanted = {(step, y) for step in joined for x, y in joined[step] if x == 3}
    assert set(zip(steps.tolist(), targets.tolist(), strict=True)) == wanted


def test_counts_against_brute_force(edges):
    for pattern in all_patterns():
        pairs = {(path[0], path[-1]) for path in simple_paths(edges, pattern)} - {(1, 2)}
        for r in range(N_R):
            count = count_pattern(edges, pattern, r, (1, 2))
            assert count.joined == len(pairs)
            assert count.support == len(pairs & steps_of(edges)[r])
            assert not count.sampled


@pytest.mark.parametrize("cells", [0, 1 << 30])
def test_counts_in_parts_sorted_or_in_a_table(edges, monkeypatch, cells):
    monkeypatch.setattr("tucker.reasoning.pairs._CELLS_A_PAIR", cells)
    monkeypatch.setattr("tucker.reasoning.walks._PATHS_AT_ONCE", 5)
    test_counts_against_brute_force(edges)


def test_edges_without_a_fact_are_those_of_the_other_facts():
    graph = make_graph(n_e=12, n_r=N_R, facts=70)
    edges = Edges.of(graph.train, graph.n_e, graph.n_r)
    parts = ("begin", "sources", "targets", "first", "steps_from", "targets_from", "fan_out")
    for fact in graph.train:
        others = graph.train[(graph.train != fact).any(axis=1)]
        wanted = Edges.of(others, graph.n_e, graph.n_r)
        found = edges.without(*fact.tolist())
        for part in parts:
            np.testing.assert_array_equal(getattr(found, part), getattr(wanted, part))
    assert edges.without(*graph.valid[0].tolist()) is edges


def test_paths_against_brute_force(edges):
    for s, o in ((0, 1), (4, 9), (7, 2)):
        found = find_paths(edges, s, o, without=1)
        assert found.complete
        wanted = {}
        for pattern in all_patterns():
            paths = [p for p in simple_paths(edges, pattern) if (p[0], p[-1]) == (s, o)]
            if paths and pattern != (1,):
                wanted[pattern] = paths
        assert {one.steps: one.paths for one in found.patterns} == {
            pattern: len(paths) for pattern, paths in wanted.items()
        }
        for one in found.patterns:
            assert (s, *one.via, o) in wanted[one.steps]


def test_no_paths_from_an_entity_to_itself(edges):
    assert find_paths(edges, 3, 3, without=0).patterns == []


def test_too_many_steps_are_drawn_and_said(edges):
    whole = count_pattern(edges, (0, 1), 2, (1, 2))
    some = count_pattern(edges, (0, 1), 2, (1, 2), most=10)
    assert some.sampled
    assert some.subjects < some.of_subjects == whole.of_subjects
    assert some.joined <= 10 < whole.joined
    assert some == count_pattern(edges, (0, 1), 2, (1, 2), most=10)


def test_paths_through_hubs_are_passed_over(edges, monkeypatch):
    every = {one.steps for one in find_paths(edges, 0, 1, without=0).patterns}
    monkeypatch.setattr("tucker.reasoning.paths._MOST_EDGES", 30)
    found = find_paths(edges, 0, 1, without=0)
    assert not found.complete
    assert {one.steps for one in found.patterns} < every


def test_fan_out(edges):
    for step, pairs in steps_of(edges).items():
        assert edges.fan_out[step] == pytest.approx(len(pairs) / len({x for x, _ in pairs}))
