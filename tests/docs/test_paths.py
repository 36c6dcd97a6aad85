"""Pages that the code names are there, and pages name each other by links."""

from __future__ import annotations

import re

import pytest

from tests.docs.conftest import DOCS, ROOT

NAMES = [
    path
    for folder in ("src", "tests", "benchmarks", "tools")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".js", ".html", ".css", ".yaml", ".md"}
]


def test_every_page_that_the_code_names_is_there():
    missing = {
        (str(path.relative_to(ROOT)), page)
        for path in NAMES
        for page in re.findall(r"(?<![\w/])docs/[\w/.-]*\w", path.read_text(encoding="utf-8"))
        if not (ROOT / page).exists()
    }
    assert missing == set()


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_pages_are_linked_not_named(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    spans = re.findall(r"(?<!\[)`([^`\n]+)`", text)
    assert [span for span in spans if re.fullmatch(r"docs/[\w/.-]+\.md", span)] == []
    anchors = {
        (target, anchor)
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#([\w.-]+)\)", text)
        if not re.match(r"\w+:", target)
    }
    for target, anchor in anchors:
        page = (path.parent / target) if target else path
        headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in set(map(slug, headings)), (path.name, target, anchor)


def slug(heading: str) -> str:
    """Return the anchor that MkDocs gives a heading."""
    plain = re.sub(r"[^\w\s-]", "", re.sub(r"[`*]", "", heading)).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)
