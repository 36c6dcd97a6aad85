"""make reference: write the pages of the manual that say what the code says.

.venv/bin/python -m tools.reference
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tools.reference import cli, decisions, http, python, settings
from tucker.files import write_text

DOCS = Path(__file__).parents[2] / "docs"
NOTE = "<!-- Written from the code by `make reference`: change it there. -->\n\n"
WRITERS: dict[str, Callable[[], str]] = {
    "reference/cli.md": cli.page,
    "reference/settings.md": settings.page,
    "reference/python.md": python.page,
    "reference/http.md": http.page,
    "decisions/index.md": decisions.page,
}


def main() -> None:
    """Write every page."""
    for name, text in pages():
        write_text(DOCS / name, text)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path of each page below docs/, and its text."""
    for name, write in WRITERS.items():
        yield name, NOTE + write().rstrip("\n") + "\n"


if __name__ == "__main__":
    main()
