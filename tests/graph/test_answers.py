from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph import Answers

N_E, N_R = 7, 3
ids = st.tuples(st.integers(0, N_E - 1), st.integers(0, N_R - 1), st.integers(0, N_E - 1))
graphs = st.sets(ids, max_size=60).map(lambda rows: np.array(list(rows), np.int64).reshape(-1, 3))


def by_hand(triples):
    answers = defaultdict(set)
    for s, r, o in triples.tolist():
        answers[s, r].add(o)
        answers[o, r + N_R].add(s)
    return answers


@given(graphs)
def test_every_pair_has_its_answers_in_order(triples):
    answers, expected = Answers.of(triples, N_E, N_R), by_hand(triples)
    pairs = list(zip(answers.subjects.tolist(), answers.relations.tolist(), strict=True))
    assert pairs == sorted(expected, key=lambda pair: (pair[1], pair[0]))
    assert len(answers) == len(expected)
    assert answers.counts.tolist() == [len(expected[pair]) for pair in pairs]
    rows, objects = answers.take(np.arange(len(answers)))
    for row, pair in enumerate(pairs):
        assert objects[rows == row].tolist() == sorted(expected[pair])


@given(graphs, st.lists(st.tuples(st.integers(0, N_E - 1), st.integers(0, 2 * N_R - 1))))
def test_find_gives_the_answers_of_any_queries(triples, queries):
    answers, expected = Answers.of(triples, N_E, N_R), by_hand(triples)
    s, r = np.array(queries, dtype=np.int64).reshape(-1, 2).T
    rows, objects = answers.find(s, r)
    for row, query in enumerate(queries):
        assert objects[rows == row].tolist() == sorted(expected.get(query, ()))
    assert len(rows) == len(objects)


def test_no_triples_have_no_answers():
    answers = Answers.of(np.zeros((0, 3), dtype=np.int64), N_E, N_R)
    rows, objects = answers.find(np.array([0, 1]), np.array([0, 5]))
    assert len(answers) == len(rows) == len(objects) == 0
