from __future__ import annotations

import subprocess
import sys

import pytest

from tucker.errors import FileError
from tucker.graph.formats.read import READERS, read_facts


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


def test_the_package_is_light():
    """Neither torch nor the RDF library is loaded before it is needed."""
    code = "import sys, tucker.graph; print({'torch', 'pyoxigraph'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
