"""One word, one thing: no two classes and no two modules of the package share a name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SRC = Path(__file__).parents[1] / "src" / "tucker"

MIRRORS = {
    "cli": "a command's file has the name of the command, which is that of what it calls",
    "api": "the door has the name of the room behind it",
    "training/reasoning": "what fits a reasoner stands beside the trainer, under its name",
}
"""Folders whose modules may be named as another: why."""

SAYS_NOTHING = {
    "alike",
    "asked",
    "asking",
    "best",
    "common",
    "confirmed",
    "core",
    "deciding",
    "helpers",
    "looking",
    "misc",
    "new",
    "portrait",
    "rows",
    "step",
    "stopping",
    "utils",
}
"""Names of files that do not tell what is in them."""


def modules() -> list[Path]:
    return sorted(path for path in SRC.rglob("*.py") if not path.name.startswith("__"))


def folder(path: Path) -> str:
    return path.parent.relative_to(SRC).as_posix()


def test_no_two_classes_share_a_name():
    homes = defaultdict(list)
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(path.relative_to(SRC).as_posix())
    assert len(homes) > 100
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_no_two_modules_share_a_name_but_mirrors():
    homes = defaultdict(list)
    for path in modules():
        if folder(path) not in MIRRORS:
            homes[path.stem].append(path.relative_to(SRC).as_posix())
    assert len(homes) > 80
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_a_mirror_has_something_to_mirror():
    for mirror in MIRRORS:
        assert (SRC / mirror).is_dir()
        own = {path.stem for path in modules() if folder(path) == mirror}
        others = {path.stem for path in modules() if folder(path) != mirror}
        assert own & others, f"{mirror} mirrors nothing: take it off the list"


def test_a_file_says_what_is_in_it():
    assert not {path.stem for path in modules()} & SAYS_NOTHING


def test_blocks_are_those_of_a_core():
    """Parts of a matrix of entities are slices."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = {
                ast.Name: lambda one: one.id,
                ast.arg: lambda one: one.arg,
                ast.ClassDef: lambda one: one.name,
                ast.FunctionDef: lambda one: one.name,
            }
            name = names[type(node)](node) if type(node) in names else ""
            if "block" in name.lower():
                assert folder(path) == "models", f"{path}: {name} is no block of a core"
