"""Which file of a folder holds which split."""

from __future__ import annotations

from pathlib import Path

from tucker.errors import GraphError
from tucker.graph.graph import SPLITS, Split
from tucker.graph.read import extension

_NAMES: dict[str, Split] = {
    "train": "train",
    "valid": "valid",
    "validation": "valid",
    "val": "valid",
    "dev": "valid",
    "test": "test",
}


def split_files(folder: Path) -> dict[Split, Path]:
    """Return the train, valid and test file of a folder, or refuse it and say what it lacks."""
    found: dict[Split, Path] = {}
    for path in sorted(folder.iterdir()):
        split = split_of(path)
        if split is None:
            continue
        if split in found:
            two = f"{found[split].name} and {path.name}"
            raise GraphError(f"{folder}: {two} are both the {split} split; leave one of them")
        found[split] = path
    missing = [split for split in SPLITS if split not in found]
    if missing:
        raise GraphError(_incomplete(folder, list(found.values()), missing))
    return {split: found[split] for split in SPLITS}


def split_of(path: Path) -> Split | None:
    """Return the split that a file of this name holds, or None if it holds none."""
    kind = extension(path)
    if kind is None or not path.is_file():
        return None
    return _NAMES.get(path.name[: -len(kind)].lower())


def _incomplete(folder: Path, found: list[Path], missing: list[Split]) -> str:
    have = " and ".join(path.name for path in found) or _others(folder)
    lack = " and ".join(missing)
    advice = f"add {'it' if len(missing) == 1 else 'them'}, or give one file to have it split"
    return f"{folder}: found {have} but no {lack} split; {advice}"


def _others(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if not names:
        return "nothing"
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
