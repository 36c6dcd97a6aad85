from __future__ import annotations

import subprocess
import sys

import polars as pl
import pytest

from tucker.errors import FileError, GraphError
from tucker.graph.formats.read import READERS, named_facts, read_facts
from tucker.graph.formats.tabular import COLUMNS


def test_the_extension_says_how_to_read(tmp_path):
    for name, text in {"A.TSV": "a\tr\tb\n", "b.csv": "a,r,b\n", "c.d.tab": "a\tr\tb"}.items():
        (tmp_path / name).write_text(text)
        facts = read_facts(str(tmp_path / name))
        assert facts.table.rows() == [("a", "r", "b", 1)]
        assert facts.line(0) == 1


@pytest.mark.parametrize(
    ("name", "found"), [("facts.json", "'.json' is unknown"), ("facts", "no ext")]
)
def test_an_unknown_extension_is_refused_with_the_known_ones(tmp_path, name, found):
    (tmp_path / name).write_text("a\tr\tb\n")
    with pytest.raises(FileError, match=found) as caught:
        read_facts(tmp_path / name)
    for known in READERS:
        assert known.removesuffix(".gz") in str(caught.value)


def test_a_missing_file_is_refused_first(tmp_path):
    with pytest.raises(FileError, match="there is no such file"):
        read_facts(tmp_path / "facts.json")


def test_facts_in_any_form_are_a_table(tmp_path):
    facts = [("a", "r", "b"), ("b", "r", "c")]
    (tmp_path / "facts.csv").write_text("a,r,b\nb,r,c\n")
    table = pl.DataFrame(facts, schema=COLUMNS, orient="row")
    wide = table.with_columns(more=pl.lit(1)).select("more", "object", "relation", "subject")
    numbers = pl.DataFrame([(1, "r", 2)], schema=COLUMNS, orient="row")
    for given in (facts, map(list, facts), table, wide):
        assert named_facts(given).equals(table)
    for path in (tmp_path / "facts.csv", str(tmp_path / "facts.csv")):
        assert named_facts(path).select(COLUMNS).equals(table)
    assert named_facts(numbers).rows() == [("1", "r", "2")]
    assert named_facts([]).columns == list(COLUMNS)
    with pytest.raises(GraphError, match="a table of facts lacks the column relation"):
        named_facts(table.drop("relation"))
    with pytest.raises(GraphError, match=r"\('a', 'b'\) is not a fact: give subject, relation and"):
        named_facts([("a", "r", "b"), ("a", "b")])


def test_the_package_is_light():
    """Neither torch nor the RDF library is loaded before it is needed."""
    code = "import sys, tucker.graph; print({'torch', 'pyoxigraph'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
