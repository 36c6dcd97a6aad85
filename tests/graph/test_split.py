from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tucker.errors import GraphError
from tucker.graph.split import split_triples

ids = st.tuples(st.integers(0, 12), st.integers(0, 3), st.integers(0, 12))
graphs = st.sets(ids, min_size=1, max_size=120).map(
    lambda rows: np.array(sorted(rows), dtype=np.int64)
)
fractions = st.floats(0, 0.49)


def rows(triples):
    return [tuple(triple) for triple in triples.tolist()]


@given(graphs, fractions, fractions, st.integers(0, 5))
def test_a_split_is_a_partition_and_leaves_nothing_unseen(triples, valid, test, seed):
    parts = split_triples(triples, valid=valid, test=test, seed=seed)
    assert sorted(row for part in parts for row in rows(part)) == rows(triples)
    train, *held = parts
    for part, fraction in zip(held, (valid, test), strict=True):
        assert set(part[:, [0, 2]].flat) <= set(train[:, [0, 2]].flat)
        assert set(part[:, 1]) <= set(train[:, 1])
        assert len(part) <= round(len(triples) * fraction)
        assert rows(part) == sorted(rows(part))  # the order they had


@given(graphs, st.integers(0, 5))
def test_the_same_seed_gives_the_same_split(triples, seed):
    first = split_triples(triples, valid=0.2, test=0.2, seed=seed)
    again = split_triples(triples, valid=0.2, test=0.2, seed=seed)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))


def test_another_seed_gives_another_split():
    triples = np.array([(s, 0, o) for s in range(20) for o in range(20)])
    one, other = (split_triples(triples, valid=0.1, test=0.1, seed=seed) for seed in (0, 1))
    assert [len(part) for part in one] == [320, 40, 40]
    assert not np.array_equal(one[2], other[2])


def test_too_few_are_shared():
    triples = np.array([(s, 0, s + 1) for s in range(10)] + [(0, 0, 2), (0, 0, 3), (0, 0, 4)])
    train, valid, test = split_triples(triples, valid=0.3, test=0.3, seed=0)
    assert len(train) + len(valid) + len(test) == 13
    assert 0 < len(valid) + len(test) < 8
    assert abs(len(valid) - len(test)) <= 1


def test_nothing_to_hold_out():
    triples = np.array([(0, 0, 1), (2, 1, 3)])
    assert [len(part) for part in split_triples(triples, valid=0.4, test=0.4)] == [2, 0, 0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"valid": -0.1}, "valid is -0.1"),
        ({"test": 1}, "test is 1"),
        ({"valid": float("nan")}, "valid is nan"),
        ({"valid": 0.5, "test": 0.5}, "valid and test together are 1"),
        ({"seed": -1}, "the seed is -1"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(GraphError, match=message):
        split_triples(np.array([(0, 0, 1)]), **settings)
