"""A table or a figure of the paper as it is made here: sheets to print, a record to keep."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tucker.errors import ResultError
from tucker.files import write_text
from tucker.pipeline.machine import commit, machine


@dataclass(frozen=True)
class Sheet:
    """A table as it is printed, and as it stands on the page."""

    title: str
    head: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Study:
    """What a study found: its record is what `--json` prints and what `results/` holds."""

    name: str
    record: Mapping[str, Any]
    sheets: list[Sheet]
    notes: list[str] = field(default_factory=list)  # what differs from the paper, and why
    draw: Callable[[Path], None] | None = None


def kept(path: Path, make: Callable[[], dict[str, Any]], *, train: bool) -> dict[str, Any]:
    """Return the record in a file; if there is none, make and keep it where that is allowed."""
    if path.exists():
        return _load(path)
    if not train:
        raise ResultError(
            f"{path} is not there: make it with: tucker reproduce {path.stem} --train"
        )
    origin = {"commit": commit(), "machine": machine()}  # now: the source may change on the way
    record = {**origin, **make()}
    write_text(path, json.dumps(record, allow_nan=False, ensure_ascii=False) + "\n")
    return record


def _load(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ResultError(f"{path}: cannot be read; restore it, or remove it") from error
    if not isinstance(record, dict) or "commit" not in record:
        raise ResultError(f"{path}: is no record of a study; restore it, or remove it")
    return record
