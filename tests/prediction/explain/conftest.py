"""A graph in which one path tells a relation: who is born in a country is a citizen of it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.prediction.conftest import make_run
from tucker.graph import Graph, Vocabulary

BORN, IN, CITIZEN = range(3)


def people() -> Graph:
    """Eight people born in four cities of two countries; all but p0 and p1 are citizens of them."""
    facts = [(p, BORN, 8 + p // 2) for p in range(8)]
    facts += [(8 + c, IN, 12 + c // 2) for c in range(4)]
    facts += [(p, CITIZEN, 12 + p // 4) for p in range(2, 8)]
    names = [f"p{i}" for i in range(8)] + [f"c{i}" for i in range(4)] + ["north", "south"]
    empty = np.empty((0, 3), dtype=np.int64)
    return Graph(
        "people",
        Vocabulary("entity", pl.Series(names)),
        Vocabulary("relation", pl.Series(["born", "in", "citizen"])),
        train=np.array(facts),
        valid=np.array([(1, CITIZEN, 12)]),
        test=empty,
    )


@pytest.fixture
def run():
    return make_run(graph=people())
