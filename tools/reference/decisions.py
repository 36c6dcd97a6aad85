"""The list of decisions, from their titles."""

from __future__ import annotations

from pathlib import Path

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"
INTRO = """# Decisions

Why things are as they are, a page each: the situation, what was chosen, and what follows from it.
"""


def page() -> str:
    """Return the page."""
    found = sorted(DECISIONS.glob("[0-9]*.md"))
    lines = [f"- [{_title(path)}]({path.name})" for path in found]
    return "\n".join([INTRO, *lines])


def _title(path: Path) -> str:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# ")
