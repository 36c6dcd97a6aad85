from __future__ import annotations

import gzip

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tucker.errors import FileError, GraphError
from tucker.graph import SPLITS, load_graph, name_table, read_facts, write_graph, write_triples
from tucker.graph.formats.write import WRITERS

FACTS = [("a", "likes", "b"), ("b c", "likes", "http://x/d"), ("_:e", "x:y", "a")]
TABS = "\t\r\n"

relaxed = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
odd = st.sampled_from(["s", "r", "o", "subject", "_:x", "_:", "urn:tucker:a", "x:y", '"', "\ufeff"])


def triples(forbidden: str = "") -> st.SearchStrategy[list[tuple[str, str, str]]]:
    characters = st.characters(exclude_categories=["Cs"], exclude_characters=forbidden)
    name = st.text(characters, min_size=1, max_size=8).filter(str.strip) | odd
    return st.lists(st.tuples(name, name, name), min_size=1, max_size=10, unique=True)


def facts(path):
    return read_facts(path).table.select("subject", "relation", "object").rows()


@pytest.mark.parametrize("extension", [".tsv", ".txt.gz"])
@relaxed
@given(written=triples(TABS))
def test_tabs_survive(tmp_path, make_graph, extension, written):
    graph = make_graph(written)
    write_triples(tmp_path / f"facts{extension}", graph, graph.train)
    assert facts(tmp_path / f"facts{extension}") == written


@pytest.mark.parametrize("extension", [".csv", ".csv.gz", ".parquet", ".nt", ".nt.gz", ".ttl"])
@relaxed
@given(written=triples())
def test_any_names_survive(tmp_path, make_graph, extension, written):
    graph = make_graph(written)
    write_triples(tmp_path / f"facts{extension}", graph, graph.train)
    assert facts(tmp_path / f"facts{extension}") == written


@relaxed
@given(written=triples(TABS))
def test_tsv_to_ntriples_to_tsv_gives_the_same_file(tmp_path, make_graph, written):
    graph = make_graph(written)
    first, middle, last = (tmp_path / name for name in ("first.tsv", "middle.nt", "last.tsv"))
    write_triples(first, graph, graph.train)
    write_triples(middle, graph, graph.train)
    again = make_graph(facts(middle))
    write_triples(last, again, again.train)
    assert first.read_bytes() == last.read_bytes()


def test_ntriples_as_written(tmp_path, make_graph):
    graph = make_graph(FACTS, labels={"a": "Anna", "likes": "likes very much"})
    write_triples(tmp_path / "facts.nt", graph, graph.train)
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    assert (tmp_path / "facts.nt").read_text().splitlines() == [
        "<urn:tucker:a> <urn:tucker:likes> <urn:tucker:b> .",
        "<urn:tucker:b%20c> <urn:tucker:likes> <http://x/d> .",
        "_:e <x:y> <urn:tucker:a> .",
        f'<urn:tucker:a> {label} "Anna" .',
        f'<urn:tucker:likes> {label} "likes very much" .',
    ]


def test_tables_as_written(tmp_path, make_graph):
    graph = make_graph([("a", "r", 'b "c"')])
    for name in ("facts.tsv", "facts.csv", "facts.parquet"):
        write_triples(tmp_path / name, graph, graph.train)
    assert (tmp_path / "facts.tsv").read_text() == 'a\tr\tb "c"\n'
    assert (tmp_path / "facts.csv").read_text() == 'subject,relation,object\na,r,"b ""c"""\n'
    assert pl.read_parquet(tmp_path / "facts.parquet").columns == ["subject", "relation", "object"]


def test_gzip_has_the_same_bytes_every_time(tmp_path, make_graph):
    graph = make_graph(FACTS)
    for name in ("one.tsv.gz", "two.tsv.gz"):
        write_triples(tmp_path / name, graph, graph.train)
    assert (tmp_path / "one.tsv.gz").read_bytes() == (tmp_path / "two.tsv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "one.tsv.gz").read_bytes()).startswith(b"a\tlikes\tb\n")


@pytest.mark.parametrize("extension", WRITERS)
def test_a_graph_survives_with_its_labels(tmp_path, make_graph, extension):
    labels = {"a": "Anna", "likes": "likes \t a lot"}
    graph = make_graph(FACTS, [("b c", "likes", "a")], [("a", "likes", "b c")], labels)
    write_graph(graph, tmp_path / "new" / "folder", extension=extension)
    again = load_graph(tmp_path / "new" / "folder")
    for split in SPLITS:
        written = name_table(graph, graph.split(split)).rows()
        assert name_table(again, again.split(split)).rows() == sorted(written)
    assert again.entities.labels.drop_nulls().to_list() == ["Anna"]
    assert again.relations.label(again.relations.id("likes")).split() == ["likes", "a", "lot"]


def test_an_extension_needs_no_dot(tmp_path, make_graph):
    graph = make_graph(FACTS, FACTS[:1], FACTS[:1])
    write_graph(graph, tmp_path, extension="CSV")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "test.csv",
        "train.csv",
        "valid.csv",
    ]


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\r"])
def test_tabs_and_line_ends_cannot_be_written_as_tsv(tmp_path, make_graph, name):
    graph = make_graph([("a", "r", "b")], test=[("a", "r", name)])
    with pytest.raises(FileError, match="has a tab or a line end; write CSV, Parquet or RDF"):
        write_triples(tmp_path / "facts.tsv", graph, graph.test)
    with pytest.raises(FileError, match="has a tab or a line end"):
        write_graph(graph, tmp_path / "folder")
    assert list(tmp_path.rglob("*")) == []


def test_an_unknown_extension_is_refused(tmp_path, make_graph):
    graph = make_graph(FACTS)
    with pytest.raises(FileError, match=r"one of .tsv, .txt, .tab, .csv, .parquet, .nt, .ttl"):
        write_triples(tmp_path / "facts.xlsx", graph, graph.train)
    with pytest.raises(FileError, match=r"one of .tsv"):
        write_graph(graph, tmp_path / "folder", extension="xlsx")
    assert list(tmp_path.iterdir()) == []


def test_splits_of_another_format_are_not_written_beside(tmp_path, make_graph):
    graph = make_graph(FACTS, FACTS[:1], FACTS[:1])
    write_graph(graph, tmp_path, extension=".nt")
    with pytest.raises(GraphError, match=r"already holds test.nt, train.nt, valid.nt"):
        write_graph(graph, tmp_path, extension=".tsv")
    write_graph(graph, tmp_path, extension=".nt")


def test_a_file_where_a_folder_is_expected_is_refused(tmp_path, make_graph):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="is a file, but a folder is expected"):
        write_graph(make_graph(FACTS), tmp_path / "file")
