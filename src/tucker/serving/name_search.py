"""Names by what someone has typed so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from tucker.graph import Graph

Kind = Literal["entity", "relation"]


@dataclass(frozen=True, eq=False)
class NameIndex:
    """The names and labels of a vocabulary in small letters, with how many facts each has."""

    table: pl.DataFrame  # name, label, facts, folded_name, folded_label

    @classmethod
    def of(cls, graph: Graph, kind: Kind) -> NameIndex:
        """Index the entities or the relations of a graph."""
        vocabulary = graph.entities if kind == "entity" else graph.relations
        columns = [0, 2] if kind == "entity" else [1]
        facts = np.bincount(graph.known[:, columns].ravel(), minlength=len(vocabulary))
        labels = vocabulary.labels
        if labels is None:
            labels = pl.Series([None] * len(vocabulary), dtype=pl.String)
        return cls(
            pl.DataFrame(
                {
                    "name": vocabulary.names,
                    "label": labels,
                    "facts": facts,
                    "folded_name": vocabulary.names.str.to_lowercase(),
                    "folded_label": labels.str.to_lowercase(),
                }
            )
        )

    def search(self, text: str, limit: int) -> list[dict[str, Any]]:
        """Return what contains a text: the whole of it, then its start, a word's start, the rest.

        Among equals the one with the most facts comes first: it is the likeliest to be meant.
        """
        wanted = text.strip().lower()
        columns = ("folded_name", "folded_label")
        found = self.table.filter(
            pl.any_horizontal(pl.col(c).str.contains(wanted, literal=True) for c in columns)
        )
        ranks = [_rank(pl.col(column), wanted) for column in columns]
        found = found.with_columns(rank=pl.min_horizontal(ranks))
        found = found.sort(["rank", "facts", "name"], descending=[False, True, False]).head(limit)
        return found.select("name", "label", "facts").to_dicts()


def _rank(column: pl.Expr, wanted: str) -> pl.Expr:
    return (
        pl.when(column == wanted)
        .then(0)
        .when(column.str.starts_with(wanted))
        .then(1)
        .when(column.str.contains(" " + wanted, literal=True))
        .then(2)
        .when(column.str.contains(wanted, literal=True))
        .then(3)
        .otherwise(4)
    )
