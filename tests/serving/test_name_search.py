"""Names are found by what has been typed of them, the likeliest first."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tucker.graph import Graph, Vocabulary
from tucker.serving.name_search import NameIndex

NAMES = ["new york", "york", "yorkshire", "old yorkers", "a.b", "Q1"]
LABELS = [None, None, None, None, None, "York Minster"]


@pytest.fixture
def graph() -> Graph:
    facts = np.array([(0, 0, 1), (0, 0, 2), (3, 0, 4), (5, 0, 4), (4, 1, 4)])
    return Graph(
        "towns",
        Vocabulary("entity", pl.Series(NAMES), pl.Series(LABELS)),
        Vocabulary("relation", pl.Series(["near", "knows"])),
        train=facts[:3],
        valid=facts[3:4],
        test=facts[4:],
    )


def test_the_whole_then_a_start_then_a_word_then_the_rest(graph):
    found = [one["name"] for one in NameIndex.of(graph, "entity").search(" YORK ", limit=9)]
    assert found == ["york", "Q1", "yorkshire", "new york", "old yorkers"]


def test_the_more_facts_the_earlier(graph):
    found = NameIndex.of(graph, "entity").search("", limit=3)
    assert [(one["name"], one["facts"]) for one in found] == [
        ("a.b", 4),
        ("new york", 2),
        ("Q1", 1),
    ]


def test_a_dot_is_a_dot(graph):
    assert [one["name"] for one in NameIndex.of(graph, "entity").search("a.b", 9)] == ["a.b"]
    assert NameIndex.of(graph, "entity").search("k.y", 9) == []


def test_relations_are_counted_in_all_splits(graph):
    found = NameIndex.of(graph, "relation").search("", 9)
    assert [(one["name"], one["label"], one["facts"]) for one in found] == [
        ("near", None, 4),
        ("knows", None, 1),
    ]
