"""Facts that RDF describes: statements with their parts, and what nodes reify."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse, serialize

from tucker.errors import FileError
from tucker.graph.formats.read import read_facts
from tucker.graph.formats.statements import PARTS, TYPE
from tucker.prediction.export import facts_table, write_facts

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
STATEMENT = f"_:f <{RDF}type> <{RDF}Statement> .\n"
SUBJECT = f"_:f <{RDF}subject> <urn:a> .\n"
PREDICATE = f"_:f <{RDF}predicate> <urn:r> .\n"
OBJECT = f"_:f <{RDF}object> <urn:b> .\n"
FACT = "<urn:a> <urn:r> <urn:b> .\n"
OTHER = "<urn:c> <urn:r> <urn:d> .\n"
PROBABILITY = '_:f <urn:tucker:probability> "0.9" .\n'
ROW = ("urn:a", "urn:r", "urn:b")
OTHER_ROW = ("urn:c", "urn:r", "urn:d")

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
entities = names | st.sampled_from(["_:x", "_:tucker-fact-1", "http://x/a", "New York"])
facts = st.tuples(entities, names.filter(lambda name: name not in (TYPE, *PARTS)), entities)
chances = st.none() | st.floats(0, 1)


def read(folder, *lines, name="facts.nt"):
    (folder / name).write_text("".join(lines), encoding="utf-8")
    return read_facts(folder / name)


@given(
    rows=st.lists(st.tuples(facts, chances), min_size=1, unique_by=lambda row: row[0]),
    annotation=st.sampled_from(["star", "reified", "none"]),
)
def test_what_is_exported_reads_back_as_the_same_facts(tmp_path_factory, rows, annotation):
    folder = tmp_path_factory.mktemp("statements")
    parts = ("subject", "relation", "object", "probability")
    table = facts_table([dict(zip(parts, (*fact, p), strict=True)) for fact, p in rows])
    write_facts(table, folder / "facts.nt", "nt", annotation=annotation)
    wanted = [fact for fact, _ in rows]
    assert read_facts(folder / "facts.nt").table.rows() == wanted
    statements = parse((folder / "facts.nt").read_bytes(), RdfFormat.N_TRIPLES)
    serialize((one.triple for one in statements), folder / "facts.ttl", RdfFormat.TURTLE)
    assert read_facts(folder / "facts.ttl").table.rows() == wanted


@given(st.permutations([STATEMENT, SUBJECT, PREDICATE, OBJECT, SUBJECT, PROBABILITY, OTHER]))
def test_the_parts_of_a_statement_come_in_any_order(tmp_path_factory, lines):
    found = read(tmp_path_factory.mktemp("statements"), *lines)
    assert found.table.rows() == [OTHER_ROW, ROW]
    assert found.notes == (
        "Read 1 fact described by statements of facts.nt (1 stated nowhere else).",
        "Left out 1 statement whose object is a literal of facts.nt.",
    )


def test_a_fact_asserted_and_described_is_one_fact(tmp_path):
    found = read(tmp_path, STATEMENT, SUBJECT, PREDICATE, OBJECT, FACT)
    assert found.table.rows() == [ROW]
    assert found.notes == ("Read 1 fact described by statements of facts.nt.",)


def test_turtle_of_both_kinds(tmp_path):
    text = f"""@prefix : <urn:> . @prefix rdf: <{RDF}> .
    [] a rdf:Statement ; rdf:subject :a ; rdf:predicate :r ; rdf:object :b ; :p 0.9 ; :by :me .
    :c :r :d {{| :p 0.5 |}} .
    << :e :r :f >> :p 0.1 .
    """
    found = read(tmp_path, text, name="facts.ttl")
    assert found.table.rows() == [OTHER_ROW, ROW, ("urn:e", "urn:r", "urn:f")]
    assert found.notes == (
        "Read 3 facts described by statements of facts.ttl (2 stated nowhere else).",
        "Left out 3 statements whose object is a literal of facts.ttl.",
        "Left out 1 statement about statements of facts.ttl.",
    )


def test_a_literal_is_described_and_left_out(tmp_path):
    found = read(tmp_path, STATEMENT, SUBJECT, PREDICATE, f'_:f <{RDF}object> "7" .\n', OTHER)
    assert found.table.rows() == [OTHER_ROW]
    assert found.notes == ("Left out 1 statement whose object is a literal of facts.nt.",)


def test_statements_about_statements_are_left_out(tmp_path):
    about = (f"_:g <{RDF}{part}> {value} .\n" for part, value in zip(
        ("subject", "predicate", "object"), ("<urn:me>", "<urn:believes>", "_:f"), strict=True
    ))  # fmt: skip
    lines = (SUBJECT, PREDICATE, OBJECT, "<urn:me> <urn:doubts> _:f .\n", *about)
    found = read(tmp_path, *lines)
    assert found.table.rows() == [ROW]
    assert "Left out 2 statements about statements of facts.nt." in found.notes


def test_what_is_no_statement_stays_a_fact(tmp_path):
    class_of = f"<urn:Claim> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <{RDF}Statement> .\n"
    found = read(tmp_path, STATEMENT, class_of, f"<urn:m> <{RDF}subject> <urn:topic> .\n")
    assert sorted(found.table.rows()) == [
        ("_:f", RDF + "type", RDF + "Statement"),
        ("urn:Claim", "http://www.w3.org/2000/01/rdf-schema#subClassOf", RDF + "Statement"),
        ("urn:m", RDF + "subject", "urn:topic"),
    ]
    assert found.notes == ()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([STATEMENT, SUBJECT, PREDICATE], "the statement _:f lacks its rdf:object; add"),
        ([SUBJECT, STATEMENT], "lacks its rdf:predicate and rdf:object"),
        (
            [SUBJECT, SUBJECT.replace(":a", ":z"), PREDICATE, OBJECT],
            "has two values of rdf:subject; give each statement a node of its own",
        ),
        (
            [SUBJECT, PREDICATE, OBJECT, OBJECT.replace(":b", ":z")],
            "has two values of rdf:object",
        ),
        (
            [SUBJECT, PREDICATE, OBJECT, SUBJECT, PREDICATE.replace(":r", ":q"), OBJECT],
            "has two values of rdf:predicate",
        ),
        ([f'_:f <{RDF}subject> "a" .\n', PREDICATE, OBJECT], "its rdf:subject is a literal"),
        ([SUBJECT, f"_:f <{RDF}predicate> _:r .\n", OBJECT], "its rdf:predicate is no IRI"),
    ],
)
@pytest.mark.parametrize("name", ["facts.nt", "facts.ttl"])
def test_a_broken_statement_is_refused_with_its_line(tmp_path, name, lines, message):
    with pytest.raises(FileError) as caught:
        read(tmp_path, OTHER, *lines, name=name)
    assert message in str(caught.value)
    assert caught.value.line == (2 if name == "facts.nt" else None)


def test_many_statements_are_kept_in_tables(tmp_path, monkeypatch):
    monkeypatch.setattr("tucker.graph.formats.statements._BATCH", 3)
    monkeypatch.setattr("tucker.graph.formats.statements._BATCH", 4)
    lines = [
        text.replace("_:f", f"_:f{i}").replace("urn:a", f"urn:a{i}")
        for i in range(20)
        for text in (STATEMENT, SUBJECT, PREDICATE, OBJECT, FACT, PROBABILITY)
    ]
    found = read(tmp_path, *lines)
    assert found.table.rows() == [(f"urn:a{i}", "urn:r", "urn:b") for i in range(20)]
