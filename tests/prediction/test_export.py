from __future__ import annotations

import polars as pl
import pytest

from tests.conftest import make_graph
from tucker.errors import TuckerError, UnknownNameError
from tucker.graph import read_facts
from tucker.prediction.export import check_names, facts_table, write_facts

FACTS = [
    {"subject": "a b", "relation": "knows", "object": "urn:x", "probability": 0.25, "rank": 1},
    {"subject": "urn:x", "relation": "likes", "object": "Åse"},
]
NAMES = [("a b", "knows", "urn:x"), ("urn:x", "likes", "Åse")]


@pytest.fixture
def table():
    return facts_table(FACTS)


@pytest.mark.parametrize("format", ["tsv", "parquet", "nt"])
def test_what_is_written_can_be_read_as_facts(table, tmp_path, format):
    path = tmp_path / f"facts.{format}"
    write_facts(table, path, format)
    assert read_facts(path).table.select("subject", "relation", "object").rows() == NAMES


def test_tables_hold_the_probability(table, tmp_path):
    write_facts(table, tmp_path / "facts.parquet", "parquet")
    assert pl.read_parquet(tmp_path / "facts.parquet").equals(table)
    write_facts(table, tmp_path / "facts.tsv", "tsv")
    lines = (tmp_path / "facts.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["subject\trelation\tobject\tprobability", "a b\tknows\turn:x\t0.25"]


@pytest.mark.parametrize(("annotation", "statements"), [("star", 4), ("reified", 7), ("none", 2)])
def test_the_probability_in_rdf(table, tmp_path, annotation, statements):
    write_facts(table, tmp_path / "facts.nt", "nt", annotation=annotation)
    text = (tmp_path / "facts.nt").read_text(encoding="utf-8")
    assert len(text.splitlines()) == statements
    fact = "<urn:tucker:a%20b> <urn:tucker:knows> <urn:x>"
    assert f"{fact} .\n" in text
    assert (f"#reifies> <<( {fact} )>> .\n" in text) == (annotation == "star")
    assert ("#Statement>" in text) == (annotation == "reified")
    assert ('<urn:tucker:probability> "0.25"^^' in text) == (annotation != "none")


@pytest.mark.parametrize(
    "fact",
    [
        {"subject": "a"},
        "a",
        {**FACTS[1], "object": ""},
        {**FACTS[1], "probability": "high"},
        {**FACTS[1], "probability": True},
    ],
)
def test_what_is_no_fact_is_refused(fact):
    with pytest.raises(TuckerError, match="fact 2 is incomplete"):
        facts_table([FACTS[0], fact])


def test_a_name_that_a_line_cannot_hold_is_refused(tmp_path):
    table = facts_table([FACTS[1] | {"object": "a\tb"}])
    with pytest.raises(TuckerError, match="which TSV cannot hold"):
        write_facts(table, tmp_path / "facts.tsv", "tsv")
    assert not (tmp_path / "facts.tsv").exists()


def test_unknown_names_are_refused():
    table = facts_table([{"subject": "e1", "relation": "r9", "object": "e2"}])
    with pytest.raises(UnknownNameError, match="no relation 'r9'"):
        check_names(table, make_graph())
