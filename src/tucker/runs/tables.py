"""A graph as the Parquet tables of a run: entities, relations, known facts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tucker.errors import RunError
from tucker.files import whole_file
from tucker.graph import SPLITS, Graph, Vocabulary

ENTITIES = "entities.parquet"
RELATIONS = "relations.parquet"
KNOWN = "known.parquet"
_COLUMNS = ["subject", "relation", "object"]


def write_graph_tables(folder: Path, graph: Graph) -> None:
    """Write the vocabularies (id, name, label) and all facts (ids and split)."""
    _write(folder / ENTITIES, _vocabulary_table(graph.entities))
    _write(folder / RELATIONS, _vocabulary_table(graph.relations))
    _write(
        folder / KNOWN,
        pl.concat(
            pl.DataFrame(graph.split(split), schema=_COLUMNS, orient="row").with_columns(
                split=pl.lit(split)
            )
            for split in SPLITS
        ),
    )


def read_graph_tables(folder: Path, name: str) -> Graph:
    """Read back what `write_graph_tables` wrote."""
    known = _read(folder / KNOWN)
    train, valid, test = (
        np.ascontiguousarray(known.filter(split=split).select(_COLUMNS).to_numpy())
        for split in SPLITS
    )
    return Graph(
        name=name,
        entities=_read_vocabulary(folder / ENTITIES, "entity"),
        relations=_read_vocabulary(folder / RELATIONS, "relation"),
        train=train.astype(np.int64),
        valid=valid.astype(np.int64),
        test=test.astype(np.int64),
    )


def _vocabulary_table(vocabulary: Vocabulary) -> pl.DataFrame:
    labels = vocabulary.labels
    if labels is None:
        labels = pl.Series([None] * len(vocabulary), dtype=pl.String)
    return pl.DataFrame(
        {"id": np.arange(len(vocabulary)), "name": vocabulary.names, "label": labels}
    )


def _read_vocabulary(path: Path, kind: str) -> Vocabulary:
    table = _read(path).sort("id")
    labels = table["label"].cast(pl.String)
    return Vocabulary(kind, table["name"], None if labels.null_count() == len(labels) else labels)


def _read(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RunError(f"{path}: is not the table of a run; train anew") from error


def _write(path: Path, table: pl.DataFrame) -> None:
    with whole_file(path) as temporary:
        table.write_parquet(temporary)
