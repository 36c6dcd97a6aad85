"""From names to ids: the vocabularies of some tables of facts, and their id triples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tucker.graph.graph import Ids
from tucker.graph.vocabulary import Vocabulary


def sorted_names(columns: Sequence[pl.Series]) -> pl.Series:
    """Return the distinct names of some columns, sorted.

    Ids follow this order: they depend on which facts a graph has, not on how its lines stand.
    """
    return pl.concat([column.unique() for column in columns]).unique().sort()


def encode(tables: Sequence[pl.DataFrame], entities: pl.Series, relations: pl.Series) -> list[Ids]:
    """Return the (n, 3) id triples of each table; the id of a name is its place in the names."""
    names = {"subject": entities, "relation": relations, "object": entities}
    return [
        np.column_stack([_places(table[column], names[column]) for column in names])
        for table in tables
    ]


def _places(column: pl.Series, names: pl.Series) -> Ids:
    known = names.alias("name").to_frame().with_row_index("id")
    wanted = column.alias("name").to_frame()
    found = wanted.join(known, on="name", how="left", maintain_order="left")  # the quickest way
    return found["id"].cast(pl.Int64).to_numpy()


def distinct(triples: Ids) -> Ids:
    """Return the triples without repetitions, each where it stood first."""
    order = np.lexsort(triples.T)  # stable: of equal triples the first comes first
    ordered = triples[order]
    repeated = np.zeros(len(triples), dtype=np.bool_)
    repeated[order[1:]] = (ordered[1:] == ordered[:-1]).all(axis=1)
    return triples[~repeated] if repeated.any() else triples


def in_order(triples: Ids) -> Ids:
    """Return the triples without repetitions, by subject, then relation, then object."""
    ordered = triples[np.lexsort(triples.T[::-1])]
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[new]


def common(triples: Ids, others: Ids) -> int:
    """Count the triples that are among the others too."""
    names = ["s", "r", "o"]
    return (
        pl.from_numpy(triples, schema=names)
        .join(pl.from_numpy(others, schema=names), on=names, how="semi")
        .height
    )


def vocabulary(kind: str, names: pl.Series, labels: pl.DataFrame | None) -> Vocabulary:
    """Return a vocabulary with the labels that its names have."""
    names = names.alias("name")
    if labels is None:
        return Vocabulary(kind, names)
    known = names.to_frame().join(labels, on="name", how="left", maintain_order="left")["label"]
    return Vocabulary(kind, names, known if known.count() else None)
