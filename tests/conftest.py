from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import torch
from hypothesis import settings

from tucker.graph import Graph, Vocabulary

settings.register_profile("tucker", deadline=None)  # the first call of torch takes its time
settings.load_profile("tucker")


def make_graph(n_e: int = 12, n_r: int = 3, facts: int = 90, seed: int = 0) -> Graph:
    """Draw a graph without meaning: every entity and relation occurs in train."""
    random = np.random.default_rng(seed)
    triples = np.unique(
        np.stack([random.integers(n, size=facts) for n in (n_e, n_r, n_e)], axis=1), axis=0
    )
    triples = random.permutation(triples)
    valid, test, train = triples[:8], triples[8:16], triples[16:]
    ring = np.stack([np.arange(n_e), np.arange(n_e) % n_r, (np.arange(n_e) + 1) % n_e], axis=1)
    train = np.unique(np.concatenate([train, ring]), axis=0)
    return Graph(
        name="drawn",
        entities=Vocabulary("entity", pl.Series([f"e{i}" for i in range(n_e)])),
        relations=Vocabulary("relation", pl.Series([f"r{i}" for i in range(n_r)])),
        train=train,
        valid=valid,
        test=test,
    )


@pytest.fixture
def graph() -> Graph:
    return make_graph()


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)
