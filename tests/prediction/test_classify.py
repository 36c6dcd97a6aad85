from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.prediction.conftest import make_run
from tucker.errors import GraphError
from tucker.prediction import classify
from tucker.prediction.classify import best_threshold, corrupted, roc_auc

judged = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=30)


def columns(pairs):
    odds, true = zip(*pairs, strict=True)
    return np.array(odds, dtype=float), np.array(true)


@given(judged)
def test_no_threshold_makes_fewer_mistakes(pairs):
    odds, true = columns(pairs)
    chosen = ((odds >= best_threshold(odds, true)) != true).sum()
    for other in np.arange(-4, 5) + 0.5:
        assert chosen <= ((odds >= other) != true).sum()


@given(judged)
def test_the_area_counts_pairs(pairs):
    odds, true = columns(pairs)
    above = [(a > b) + 0.5 * (a == b) for a in odds[true] for b in odds[~true]]
    assert roc_auc(odds, true) == pytest.approx(np.mean(above) if above else 0.5)


def test_corrupted_facts_are_new_and_of_the_relations_own_entities(run):
    graph = run.graph
    facts = graph.test
    false = corrupted(graph, facts, graph.known, np.random.default_rng(0))
    known = set(map(tuple, graph.known.tolist()))
    assert not known & set(map(tuple, false.tolist()))
    assert len(false) <= len(facts)
    for s, r, o in false.tolist():
        of_relation = graph.train[graph.train[:, 1] == r]
        kept = facts[facts[:, 1] == r]
        assert s in of_relation[:, 0] or s in kept[:, 0]
        assert o in of_relation[:, 2] or o in kept[:, 2]


def test_where_everything_is_known_nothing_is_drawn(run):
    n_e, n_r = run.graph.n_e, run.graph.n_r
    every = np.stack(np.meshgrid(range(n_e), range(n_r), range(n_e)), axis=-1).reshape(-1, 3)
    assert len(corrupted(run.graph, run.graph.test, every, np.random.default_rng(0))) == 0


def test_a_seed_gives_the_same_result(run):
    first = classify(run)
    assert first == classify(run)
    assert 0 <= first.accuracy <= 1
    assert 0 <= first.roc_auc <= 1
    assert set(first.as_dict()) == {
        "split", "facts", "corrupted", "accuracy", "roc_auc", "threshold", "thresholds"
    }  # fmt: skip


@pytest.mark.parametrize("split", ["valid", "test"])
def test_both_splits_are_needed(split):
    run = make_run()
    graph = dataclasses.replace(run.graph, **{split: run.graph.valid[:0]})
    with pytest.raises(GraphError, match=f"no {split} facts"):
        classify(dataclasses.replace(run, graph=graph))
