from __future__ import annotations

import gzip

import pytest

from tucker.errors import FileError
from tucker.graph.formats.read import read_facts

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
PREF = "<http://www.w3.org/2004/02/skos/core#prefLabel>"


def read(path, text):
    path.write_text(text, encoding="utf-8")
    return read_facts(path)


def test_ntriples_give_facts_labels_and_a_note(tmp_path):
    facts = read(
        tmp_path / "facts.nt",
        f"""<http://x/a> <http://x/r> <http://x/b> .
# a comment
<http://x/b> <http://x/r> _:node .
<http://x/a> {LABEL} "Anna"@en .
<http://x/a> <http://x/age> "7" .
<http://x/a> <http://x/age> "8"^^<http://www.w3.org/2001/XMLSchema#integer> .
""",
    )
    assert facts.table.rows() == [
        ("http://x/a", "http://x/r", "http://x/b"),
        ("http://x/b", "http://x/r", "_:node"),
    ]
    assert facts.labels is not None
    assert facts.labels.rows() == [("http://x/a", "Anna")]
    assert facts.notes == ("Left out 2 statements whose object is a literal of facts.nt.",)


@pytest.mark.parametrize(
    ("statements", "label"),
    [
        ([f'{LABEL} "Deutsch"@de', f'{LABEL} "English"@en'], "English"),
        ([f'{LABEL} "Deutsch"@de', f'{PREF} "plain"'], "plain"),
        ([f'{PREF} "preferred"', f'{LABEL} "label"@en-GB'], "label"),
        ([f'{LABEL} "first"', f'{LABEL} "second"'], "first"),
        ([f'{LABEL} "second"', f'{LABEL} "first"'], "first"),
        ([f'{LABEL} "Deutsch"@de'], "Deutsch"),
        ([f'{LABEL} " "', f'{PREF} "preferred"@fr'], "preferred"),
    ],
)
def test_the_label_is_english_or_has_no_language_if_there_is_such(tmp_path, statements, label):
    lines = ["<http://x/a> <http://x/r> <http://x/b> ."]
    lines += [f"<http://x/a> {statement} ." for statement in statements]
    facts = read(tmp_path / "facts.nt", "\n".join(lines))
    assert facts.labels is not None
    assert facts.labels.rows() == [("http://x/a", label)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("facts.ttl", "@prefix : <http://x/> .\n:a :r :b .\n"),
        ("facts.trig", "@prefix : <http://x/> .\n:g { :a :r :b . }\n"),
        ("facts.nq", "<http://x/a> <http://x/r> <http://x/b> <http://x/g> .\n"),
        (
            "facts.rdf",
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">'
            '<rdf:Description rdf:about="http://x/a"><x:r rdf:resource="http://x/b"/>'
            "</rdf:Description></rdf:RDF>",
        ),
    ],
)
def test_other_formats(tmp_path, name, text):
    expected = [("http://x/a", "http://x/r", "http://x/b")]
    assert read(tmp_path / name, text).table.rows() == expected
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_facts(packed).table.rows() == expected


def test_anonymous_nodes_have_the_same_names_at_every_reading(tmp_path):
    text = "@prefix : <http://x/> .\n:a :r [ :q :b ] , [ :q :c ] .\n"
    first = read(tmp_path / "facts.ttl", text).table.rows()
    assert first == read(tmp_path / "facts.ttl", text).table.rows()
    assert ("http://x/a", "http://x/r", "_:facts.ttl-1") in first


def test_named_nodes_keep_their_names(tmp_path):
    name = "_:" + "a1" * 16
    facts = read(tmp_path / "facts.nt", f"{name} <http://x/r> _:b .\n")
    assert facts.table.rows() == [(name, "http://x/r", "_:b")]


def test_statements_about_statements_are_left_out(tmp_path):
    facts = read(
        tmp_path / "facts.nt",
        "<http://x/a> <http://x/r> <http://x/b> .\n"
        "<http://x/a> <http://x/r> <<( <http://x/a> <http://x/r> <http://x/b> )>> .\n",
    )
    assert facts.notes == ("Left out 1 statement about statements of facts.nt.",)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("facts.nt", "<http://x/a> <http://x/r> <http://x/b> .\n\n<http://x/a <r> .\n", 3),
        ("facts.ttl", "@prefix : <http://x/> .\n:a :r :b ;\n unknown:r :c .\n", 3),
    ],
)
def test_a_syntax_error_is_named_with_its_line(tmp_path, name, text, line):
    with pytest.raises(FileError, match="is not well-formed RDF") as caught:
        read(tmp_path / name, text)
    assert caught.value.line == line
    assert "Parser error" not in str(caught.value)


def test_a_file_of_literals_alone_has_no_facts(tmp_path):
    with pytest.raises(FileError, match="holds no facts between two resources"):
        read(tmp_path / "facts.nt", '<http://x/a> <http://x/r> "b" .\n')


def test_broken_gzip_is_refused(tmp_path):
    path = tmp_path / "facts.nt.gz"
    path.write_bytes(gzip.compress(b"<http://x/a> <http://x/r> <http://x/b> .\n" * 999)[:-9])
    with pytest.raises(FileError, match="is not whole gzip"):
        read_facts(path)
