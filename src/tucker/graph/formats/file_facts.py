"""The facts of one file, by name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tucker.errors import FileError


@dataclass(frozen=True, eq=False)
class FileFacts:
    """What one file says: facts, perhaps labels, and notes of what was left out."""

    path: Path
    table: pl.DataFrame  # subject, relation, object; and line, where the file has lines
    labels: pl.DataFrame | None = None  # name, label
    notes: tuple[str, ...] = ()

    def line(self, row: int) -> int | None:
        """Return the line of the file where a fact stands, where that is known."""
        return int(self.table["line"][row]) if "line" in self.table.columns else None

    def fault(self, row: int, message: str) -> FileError:
        """Return the error that tells of a fault in a fact, with its line."""
        return FileError(self.path, message, self.line(row))
