from __future__ import annotations

from pathlib import Path

import polars as pl

from tucker.graph.formats.file_facts import FileFacts

TABLE = pl.DataFrame({"subject": ["a", "b"], "relation": ["r", "r"], "object": ["b", "c"]})


def test_a_fact_has_a_line_where_the_file_has_lines():
    lines = pl.Series("line", [2, 5], dtype=pl.UInt32)
    facts = FileFacts(Path("facts.tsv"), TABLE.with_columns(lines))
    assert [facts.line(0), facts.line(1)] == [2, 5]
    assert isinstance(facts.line(0), int)
    assert FileFacts(Path("facts.parquet"), TABLE).line(0) is None


def test_labels_and_notes_may_be_missing():
    facts = FileFacts(Path("facts.tsv"), TABLE)
    assert facts.labels is None
    assert facts.notes == ()
