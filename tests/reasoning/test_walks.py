"""Paths from entities, between two, and of a pattern, against all that there are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.reasoning import by_hand
from tests.reasoning.by_hand import N_E, N_R, SAME, all_paths, facts, pattern_code
from tests.reasoning.conftest import all_patterns, simple_paths
from tucker.reasoning import walks
from tucker.reasoning.edges import Edges
from tucker.reasoning.walks import PatternWalks, paths_between, paths_from


@pytest.fixture
def merged() -> Edges:
    """Edges of relations of which two are one step."""
    return Edges.of(facts().numpy(), N_E, N_R, SAME.numpy())


def walked(edges, s, hidden=None):
    paths = paths_from(edges, np.array([s]), hidden)
    return Counter(zip(paths.pattern.tolist(), paths.target.tolist(), strict=True))


@pytest.mark.parametrize("s", range(N_E))
def test_paths_are_all_that_visit_no_entity_twice(merged, s):
    expected = {(pattern_code(steps), x): n for (steps, x), n in all_paths(s).items()}
    assert walked(merged, s) == expected


def test_paths_from_several_sources_are_those_of_each(merged):
    sources = np.array([4, 0, 4])
    paths = paths_from(merged, sources)
    again = paths_from(merged, np.array([0, 4])).repeat(np.array([1, 0, 1]))
    for found in (paths, again):
        for row, s in enumerate(sources.tolist()):
            here = found.take(found.row == row)
            counted = Counter(zip(here.pattern.tolist(), here.target.tolist(), strict=True))
            assert counted == walked(merged, s)


def test_a_hidden_edge_is_not_walked(merged):
    s, step, o = min(by_hand.edges())
    paths = walked(merged, s, (np.array([step]), np.array([o])))
    expected = all_paths(s, without=(s, step, o))
    assert paths == {(pattern_code(steps), x): n for (steps, x), n in expected.items()}


def test_the_busiest_entities_give_way(monkeypatch):
    """0 leads to 1, which has three edges, and to 2, which has seven."""
    triples = np.array(
        [[0, 0, 1], [0, 0, 2], [1, 0, 3], [1, 0, 4], *([2, 0, x] for x in range(3, 9))]
    )
    edges = Edges.of(triples, N_E, N_R)
    assert {x for (_, x) in walked(edges, 0)} == set(range(1, 9))
    monkeypatch.setattr(walks, "_EDGES_FROM_ONE", 4)
    paths = walked(edges, 0)
    assert {x for (pattern, x) in paths if pattern < 49} == {1, 2, 3, 4}
    assert not {x for (pattern, x) in paths if pattern >= 49} & {5, 6, 7, 8}


def test_paths_between_two_are_those_from_one_that_end_at_the_other(edges):
    for s, o in ((0, 1), (4, 9), (7, 2)):
        between = paths_between(edges, s, o, without=-1).patterns
        assert between
        assert {(pattern_code(one.steps), o): one.paths for one in between} == {
            (pattern, x): count for (pattern, x), count in walked(edges, s).items() if x == o
        }


def test_the_walks_of_a_pattern_end_where_its_paths_do(edges):
    for pattern in all_patterns():
        walks = PatternWalks.of(edges, pattern)
        subjects, _ = walks.subjects(1 << 20)
        row, end = walks.ends(subjects)
        found = Counter(zip(subjects[row].tolist(), end.tolist(), strict=True))
        assert found == Counter((path[0], path[-1]) for path in simple_paths(edges, pattern))


def test_paths_against_brute_force(edges):
    for s, o in ((0, 1), (4, 9), (7, 2)):
        found = paths_between(edges, s, o, without=1)
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
    assert paths_between(edges, 3, 3, without=0).patterns == []


def test_paths_through_hubs_are_passed_over(edges, monkeypatch):
    every = {one.steps for one in paths_between(edges, 0, 1, without=0).patterns}
    monkeypatch.setattr("tucker.reasoning.walks._EDGES_BETWEEN", 30)
    found = paths_between(edges, 0, 1, without=0)
    assert not found.complete
    assert {one.steps for one in found.patterns} < every
