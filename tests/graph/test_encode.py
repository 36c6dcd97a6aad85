from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph.encode import common, distinct, encode, in_order, sorted_names, vocabulary

triples = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4)), max_size=30)


def array(rows):
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def rows(array):
    return [tuple(row) for row in array.tolist()]


@given(triples)
def test_in_order_every_fact_stands_once_by_its_ids(drawn):
    assert rows(in_order(array(drawn))) == sorted(set(drawn))


@given(triples)
def test_distinct_facts_stand_where_they_stood_first(drawn):
    assert rows(distinct(array(drawn))) == list(dict.fromkeys(drawn))


@given(triples, triples)
def test_common_facts_are_counted(one, other):
    assert common(array(one), array(other)) == sum(fact in other for fact in one)


def test_names_are_sorted_by_their_characters_and_ids_are_their_places():
    one = pl.DataFrame({"subject": ["b", "B"], "relation": ["r", "r"], "object": ["é", "b"]})
    two = pl.DataFrame({"subject": ["z"], "relation": ["q"], "object": ["10"]})
    entities = sorted_names([table[side] for table in (one, two) for side in ("subject", "object")])
    relations = sorted_names([one["relation"], two["relation"]])
    assert entities.to_list() == ["10", "B", "b", "z", "é"]
    first, second = encode([one, two], entities, relations)
    assert first.tolist() == [[2, 1, 4], [1, 1, 2]]
    assert second.tolist() == [[3, 0, 0]]
    assert first.dtype == np.int64


def test_a_vocabulary_has_the_labels_of_its_names_alone():
    names = pl.Series(["a", "b"])
    labels = pl.DataFrame({"name": ["b", "c"], "label": ["Bert", "Carl"]})
    assert vocabulary("entity", names, labels).labels.to_list() == [None, "Bert"]
    assert vocabulary("entity", names, labels.tail(1)).labels is None
    assert vocabulary("entity", names, None).labels is None
