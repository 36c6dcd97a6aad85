"""The Parquet tables of a run say the same graph again."""

from __future__ import annotations

import dataclasses

import numpy as np
import polars as pl
import pytest

from tucker.errors import RunError
from tucker.graph import SPLITS, Graph, Vocabulary
from tucker.runs.tables import ENTITIES, KNOWN, read_graph_tables, write_graph_tables


@pytest.mark.parametrize("labelled", [False, True])
def test_a_graph_is_read_back(graph: Graph, tmp_path, labelled) -> None:
    if labelled:
        labels = pl.Series(["Äther", None, *graph.entities.names[2:]], dtype=pl.String)
        entities = Vocabulary("entity", graph.entities.names, labels)
        graph = dataclasses.replace(graph, entities=entities)
    write_graph_tables(tmp_path, graph)
    again = read_graph_tables(tmp_path, "again")
    assert again.name == "again"
    for split in SPLITS:
        assert np.array_equal(again.split(split), graph.split(split))
        assert again.split(split).dtype == np.int64
    assert again.entities.names.equals(graph.entities.names)
    assert (again.entities.labels is None) is not labelled
    if labelled:
        assert again.entities.labels.to_list() == graph.entities.labels.to_list()


def test_an_empty_split_keeps_its_shape(graph: Graph, tmp_path) -> None:
    graph = dataclasses.replace(graph, test=graph.test[:0])
    write_graph_tables(tmp_path, graph)
    assert read_graph_tables(tmp_path, "x").test.shape == (0, 3)


def test_rows_may_stand_in_any_order(graph: Graph, tmp_path) -> None:
    write_graph_tables(tmp_path, graph)
    table = pl.read_parquet(tmp_path / ENTITIES)
    table.reverse().write_parquet(tmp_path / ENTITIES)
    assert read_graph_tables(tmp_path, "x").entities.names.equals(graph.entities.names)


def test_a_damaged_table_is_named(graph: Graph, tmp_path) -> None:
    write_graph_tables(tmp_path, graph)
    (tmp_path / KNOWN).write_bytes(b"nothing")
    with pytest.raises(RunError, match=r"known\.parquet: is not the table of a run"):
        read_graph_tables(tmp_path, "x")
