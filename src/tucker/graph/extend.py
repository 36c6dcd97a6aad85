"""A graph with more facts, and perhaps more entities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from tucker.errors import GraphError
from tucker.graph.encode import distinct, encode, in_order, sorted_names
from tucker.graph.graph import Graph
from tucker.graph.vocabulary import Vocabulary


def extend_graph(graph: Graph, table: pl.DataFrame) -> Graph:
    """Add facts by name (subject, relation, object) to the training split.

    Ids stay as they are: new entities get those that follow. A fact that any split has is not added
    again. A label that one entity has stands for it. A relation that the graph does
    not have is refused: nothing was learned of it.
    """
    for relation in table["relation"].unique(maintain_order=True):
        if graph.relations.name(graph.relations.id(relation)) != relation:
            raise GraphError(f"{relation!r} is the label of a relation; give its name")
    table = _by_name(graph.entities, table)
    mentioned = sorted_names([table["subject"], table["object"]])
    new = mentioned.filter(~mentioned.is_in(graph.entities.names.implode()))
    entities = _with(graph.entities, new)
    (triples,) = encode([table], entities.names, graph.relations.names)
    both = distinct(np.concatenate([graph.known, in_order(triples)]))
    added = both[len(distinct(graph.known)) :]
    notes = (*graph.notes, f"Added {len(added):,} facts and {len(new):,} entities.")
    return replace(
        graph, entities=entities, train=np.concatenate([graph.train, added]), notes=notes
    )


def extends(graph: Graph, other: Graph) -> bool:
    """Say whether a graph is another one with facts, and perhaps entities, added at the end."""
    return (
        graph.entities.names.head(other.n_e).equals(other.entities.names)
        and graph.relations.names.equals(other.relations.names)
        and np.array_equal(graph.train[: len(other.train)], other.train)
    )


def same_facts(graph: Graph, other: Graph) -> bool:
    """Say whether two graphs have the same names and the same facts, however these are split."""
    return (
        graph.entities.names.equals(other.entities.names)
        and graph.relations.names.equals(other.relations.names)
        and np.array_equal(in_order(graph.known), in_order(other.known))
    )


def _by_name(entities: Vocabulary, table: pl.DataFrame) -> pl.DataFrame:
    """Return facts with names in the place of entities' labels; a label of several is refused."""
    if entities.labels is None:
        return table
    mentioned = sorted_names([table["subject"], table["object"]])
    labels = mentioned.filter(
        mentioned.is_in(entities.labels.drop_nulls().implode())
        & ~mentioned.is_in(entities.names.implode())
    )
    names = {label: entities.name(entities.id(label)) for label in labels}
    return table.with_columns(pl.col("subject", "object").replace(names)) if names else table


def _with(vocabulary: Vocabulary, names: pl.Series) -> Vocabulary:
    labels = vocabulary.labels
    if labels is not None:
        labels = pl.concat([labels, pl.Series([None] * len(names), dtype=pl.String)])
    all_names = pl.concat([vocabulary.names, names.alias(vocabulary.names.name)])
    return Vocabulary(vocabulary.kind, all_names, labels)
