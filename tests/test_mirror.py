"""Tests mirror the package: each module has its test file, or a line that says which one covers it.

That line stands in the docstring of the folder's tests, as `module: covered by test_x`, or by
`folder.test_x` where the file stands elsewhere under tests/.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SRC = TESTS.parent / "src" / "tucker"
LINE = re.compile(r"^(\w+): covered by ([\w.]+(?:, [\w.]+)*)$", re.MULTILINE)

FOLDERS = sorted({path.parent.relative_to(SRC) for path in SRC.rglob("*.py")})


def modules(folder: Path) -> set[str]:
    return {path.stem for path in (SRC / folder).glob("*.py") if not path.stem.startswith("__")}


def mirrored(folder: Path) -> set[str]:
    return {path.stem.removeprefix("test_") for path in (TESTS / folder).glob("test_*.py")}


def covered(folder: Path) -> dict[str, list[Path]]:
    """Return the modules whose tests stand elsewhere, and where."""
    init = TESTS / folder / "__init__.py"
    if not init.exists():
        return {}
    docstring = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
    found = {}
    for module, names in LINE.findall(docstring):
        found[module] = [
            (TESTS if "." in name else TESTS / folder) / f"{name.replace('.', '/')}.py"
            for name in names.split(", ")
        ]
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_each_module_has_its_tests(folder: Path) -> None:
    missing = modules(folder) - mirrored(folder) - set(covered(folder))
    assert not missing, f"write tests/{folder}/test_NAME.py, or say which file covers {missing}"


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_what_is_said_to_be_covered_is_there(folder: Path) -> None:
    for module, files in covered(folder).items():
        assert module in modules(folder), f"tests/{folder}: there is no module {module}"
        assert module not in mirrored(folder), f"tests/{folder}: {module} has its own file"
        for file in files:
            assert file.exists(), f"tests/{folder}: {module} is not covered by {file}"


def test_lines_are_read() -> None:
    assert LINE.findall("Tests.\n\na: covered by test_b\nc: covered by test_d, cli.test_e") == [
        ("a", "test_b"),
        ("c", "test_d, cli.test_e"),
    ]
    assert sum(len(covered(folder)) for folder in FOLDERS) > 10
