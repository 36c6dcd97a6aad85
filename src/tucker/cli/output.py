"""Data to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tucker.errors import TrainingStopped
from tucker.progress import plain


def stdout() -> Console:
    """Return a console for data; as wide as needed when it is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=10_000)  # tables take what they need


def stderr() -> Console:
    """Return a console for progress, notes and errors."""
    return Console(stderr=True)


def print_json(data: Any) -> None:
    """Print data for programs."""
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for people; numbers to the right, names as plain text."""
    stdout().print(make_table(title, columns, rows))


def make_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Lay out a table; floats get three decimals."""
    rows = list(rows)
    table = Table(title=plain(title), title_justify="left", header_style="bold")
    for index, column in enumerate(columns):
        numbers = all(isinstance(row[index], int | float) for row in rows)
        table.add_column(plain(column), justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(plain(_cell(value)) for value in row))
    return table


def note(text: str) -> None:
    """Say something that is no data, on stderr."""
    stderr().print(plain(text), style="dim", soft_wrap=True)


def fail(text: str) -> None:
    """Say why a request cannot be met, on stderr."""
    stderr().print(Text.assemble(("error: ", "bold red"), plain(text)), soft_wrap=True)


@contextmanager
def stoppable(go_on: str | None = None) -> Iterator[None]:
    """Let a training be stopped by Ctrl-C, and say how to go on with it."""
    try:
        yield
    except TrainingStopped as stopped:
        note(f"stopped; go on with: {go_on or f'tucker train --resume --out {stopped.path}'}")
        raise typer.Exit(130) from None


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
