from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tucker.graph import Graph, Ids, Vocabulary

Triples = list[tuple[str, str, str]]


@pytest.fixture
def make_graph() -> Callable[..., Graph]:
    """Make a graph from names, all facts in train unless valid and test are given."""

    def make(
        train: Triples,
        valid: Triples = (),
        test: Triples = (),
        labels: dict[str, str] | None = None,
    ) -> Graph:
        every = [*train, *valid, *test]
        entities = sorted({name for s, _, o in every for name in (s, o)})
        relations = sorted({r for _, r, _ in every})

        def ids(triples: Triples) -> Ids:
            rows = [
                (entities.index(s), relations.index(r), entities.index(o)) for s, r, o in triples
            ]
            return np.array(rows, dtype=np.int64).reshape(-1, 3)

        def vocabulary(kind: str, names: list[str]) -> Vocabulary:
            known = (
                pl.Series([labels.get(name) for name in names], dtype=pl.String) if labels else None
            )
            return Vocabulary(kind, pl.Series(names, dtype=pl.String), known)

        return Graph(
            "made",
            vocabulary("entity", entities),
            vocabulary("relation", relations),
            ids(train),
            ids(valid),
            ids(test),
        )

    return make


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Write files with the given content, `train.tsv` as train_tsv, into a folder."""

    def write(**files: str) -> Path:
        for name, content in files.items():
            path = tmp_path / name.replace("_", ".")
            path.write_text(content, encoding="utf-8", newline="")
        return tmp_path

    return write
