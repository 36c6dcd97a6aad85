"""The measurement of indices: what is looked for, and what counts as found."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.index import NOISE, many_like
from benchmarks.index_sides import K, exact, recall


def unit(rows, width=20):
    vectors = np.random.default_rng(0).normal(size=(rows, width)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_many_more_vectors_are_like_those_given():
    vectors = unit(50)
    more = many_like(vectors, 1000)
    assert np.linalg.norm(more, axis=1) == pytest.approx(1, abs=1e-5)
    cosines = (more @ vectors.T).max(axis=1)
    assert cosines.mean() == pytest.approx((1 + NOISE**2) ** -0.5, abs=0.02)


def test_the_exact_side_finds_the_nearest_and_recall_counts_them():
    vectors = unit(100)
    _, search = exact(vectors)
    found = np.stack([search(query, 0) for query in vectors[:5]])
    assert found[:, 0].tolist() == [0, 1, 2, 3, 4]
    wanted = np.argsort(-(vectors[:5] @ vectors.T), axis=1)[:, :K]
    assert recall(found, wanted) == 1
    assert recall(np.where(np.arange(K) < 5, found, -1), wanted) == 0.5
