"""The graphs that are measured: a named dataset, or a random one of some counts."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl

from tucker.errors import TuckerError
from tucker.graph import Graph, Vocabulary, load_graph
from tucker.graph.datasets.catalogue import DATASETS


def find_graph(name: str) -> Graph:
    """Return a dataset from TUCKER_DATA or the cache, or a random graph of the same counts."""
    try:
        return load_graph(name)
    except TuckerError as error:
        sys.stderr.write(f"{error}\nusing a random graph of the same counts instead\n")
        dataset = DATASETS[name]
        return random_graph(dataset.entities, dataset.relations, dataset.triples)


def random_graph(n_e: int, n_r: int, triples: tuple[int, int, int]) -> Graph:
    """Draw triples of train, valid and test evenly; the same counts give the same graph."""
    random = np.random.default_rng(0)
    train, valid, test = (
        np.stack([random.integers(n, size=size) for n in (n_e, n_r, n_e)], axis=1)
        for size in triples
    )
    entities, relations = (
        Vocabulary(kind, pl.Series([str(i) for i in range(n)]))
        for kind, n in (("entity", n_e), ("relation", n_r))
    )
    return Graph("random", entities, relations, train, valid, test)
