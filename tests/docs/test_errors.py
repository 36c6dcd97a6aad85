"""docs/reference/errors.md names every exception, and messages that the code has."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

from tests.cli.running import tucker
from tests.docs.conftest import DOCS, ROOT
from tucker import errors

PAGE = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def firsts(title: str) -> list[str]:
    """Return the code span that each row of a section's table begins with."""
    return re.findall(r"^\| `([^`]+)` \|", section(title), re.MULTILINE)


def texts() -> list[str]:
    """Return every text of the source, with … in the place of what is filled in."""
    found = []
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = (one.value if isinstance(one, ast.Constant) else "…" for one in node.values)
                found.append("".join(map(str, parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return found


def test_every_exception_is_named_and_no_other():
    classes = {
        name
        for name, one in inspect.getmembers(errors, inspect.isclass)
        if one.__module__ == errors.__name__
    }
    assert sorted(firsts("Exceptions")) == sorted(classes)


def test_every_message_is_one_of_the_code():
    messages, known = firsts("Frequent messages"), texts()
    assert len(messages) > 5
    for message in messages:
        pieces = [piece.strip(" ,;:?") for piece in message.split("…")]
        for piece in filter(None, pieces):
            assert any(piece in text for text in known), (message, piece)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["graph", "stats", "world"], 0),
        (["graph", "stats", "no such graph"], 1),
        (["graph", "stats", "world", "--such"], 2),
    ],
)
def test_exit_codes(words, code):
    result = tucker(*words)
    assert result.code == code
    assert bool(result.out) == (code == 0)
    assert result.err.startswith("error: ") == (code == 1)
    assert re.search(rf"^\| {code} \|", section("Exit codes"), re.MULTILINE)
