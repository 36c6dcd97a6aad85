"""docs/reference/formats.md lists the extensions, header names and options that the code knows."""

from __future__ import annotations

import re
from itertools import pairwise, product
from typing import get_args

from tests.docs.conftest import DOCS
from tucker.graph import load_graph, read_facts
from tucker.graph.formats.read import READERS
from tucker.graph.formats.tabular import find_columns
from tucker.graph.formats.write import WRITERS
from tucker.graph.load import split_files
from tucker.prediction.embeddings import EmbeddingFormat
from tucker.prediction.export import Annotation, FactFormat

PAGE = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    """Return the cells of the table that has this head."""
    body = PAGE.partition(f"| {head} |")[2].partition("\n\n")[0]
    lines = body.splitlines()[2:]
    assert lines, head
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def spans(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_extensions_are_those_of_the_code():
    table = {spans(row[0])[0]: [cell == "yes" for cell in row[1:4]] for row in rows("extension")}
    assert {kind for kind, (read, _, _) in table.items() if read} | {
        f"{kind}.gz" for kind, (read, _, packed) in table.items() if read and packed
    } == set(READERS)
    assert {kind for kind, (_, written, _) in table.items() if written} | {
        f"{kind}.gz" for kind, (_, written, packed) in table.items() if written and packed
    } == set(WRITERS)


def test_every_name_of_a_header_is_known_and_stands_in_its_order():
    names = {row[0]: spans(row[1]) for row in rows("column")}
    assert list(names) == ["subject", "relation", "object"]
    for s, r, o in product(*names.values()):
        assert find_columns([o.upper(), "more", s, r]) == [2, 3, 0]
    for place, of_column in enumerate(names.values()):
        for first, second in pairwise(of_column):
            header = ["subject", "relation", "object"]
            header[place] = second
            assert find_columns([*header, first])[place] == 3
    every = {name for of_column in names.values() for name in of_column}
    assert find_columns(["subject", "relation", "whole"]) is None
    assert len(every) == sum(map(len, names.values()))


def test_the_names_of_splits_are_those_of_the_page(tmp_path):
    said = PAGE.partition("three files named ")[2].partition(", each with")[0]
    named = spans(said)
    assert {"train", "valid", "test"} <= set(named)
    for valid in set(named) - {"train", "test"}:
        folder = tmp_path / valid
        folder.mkdir()
        for name in ("train", valid, "test"):
            (folder / f"{name}.tsv").write_text("a\tr\tb\n", encoding="utf-8")
        assert split_files(folder)["valid"].stem == valid


def test_the_formats_of_export_are_those_of_the_code():
    table = rows("`--format` | facts | embeddings")
    facts = {spans(row[0])[0] for row in table if row[1]}
    vectors = {spans(row[0])[0] for row in table if row[2]}
    assert facts == set(get_args(FactFormat))
    assert vectors == set(get_args(EmbeddingFormat))
    forms = [spans(row[0])[0] for row in rows("`--annotation`")]
    assert forms == list(get_args(Annotation))


def test_what_is_said_of_tables(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_bytes("\ufeffsource\tobject\ttype\tnote\r\na\tb\tr\tx\r\n\r\n".encode())
    assert read_facts(path).table.select("subject", "relation", "object").row(0) == ("a", "r", "b")
    (tmp_path / "labels.tsv").write_text("name\tlabel\na\tFirst\na\tSecond\n", encoding="utf-8")
    graph = load_graph(path)
    assert graph.entities.label(graph.entities.id("a")) == "First"


def test_what_is_said_of_rdf(tmp_path):
    prefix = "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
    path = tmp_path / "facts.ttl"
    path.write_text(
        f"{prefix}@prefix : <x:> .\n:a :r :b {{| :said :c |}} .\n_:f rdf:reifies <<( :b :r :c )>> ."
        '\n:a :age 3 .\n:a <http://www.w3.org/2000/01/rdf-schema#label> "First"@fr, "One"@en .\n'
        ":half rdf:subject :a .\n",
        encoding="utf-8",
    )
    facts = read_facts(path)
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    assert set(facts.table.rows()) == {
        ("x:a", "x:r", "x:b"),
        ("x:b", "x:r", "x:c"),
        ("x:half", f"{rdf}subject", "x:a"),
    }
    assert dict(facts.labels.rows()) == {"x:a": "One"}
    assert any("literal" in note for note in facts.notes)
    assert any("about statements" in note for note in facts.notes)
