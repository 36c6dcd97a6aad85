"""Counts of pairs that a pattern joins, against brute force."""

from __future__ import annotations

import pytest

from tests.reasoning.by_hand import N_R
from tests.reasoning.conftest import all_patterns, simple_paths, steps_of
from tucker.reasoning.patterns import count_pattern


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
    monkeypatch.setattr("tucker.reasoning.patterns._CELLS_A_PAIR", cells)
    monkeypatch.setattr("tucker.reasoning.patterns._PATHS_AT_ONCE", 5)
    test_counts_against_brute_force(edges)


def test_too_many_steps_are_drawn_and_said(edges):
    whole = count_pattern(edges, (0, 1), 2, (1, 2))
    some = count_pattern(edges, (0, 1), 2, (1, 2), most=10)
    assert some.sampled
    assert some.subjects < some.of_subjects == whole.of_subjects
    assert some.joined <= 10 < whole.joined
    assert some == count_pattern(edges, (0, 1), 2, (1, 2), most=10)
