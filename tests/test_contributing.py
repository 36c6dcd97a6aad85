"""What CONTRIBUTING.md says of the code is so."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SRC = ROOT / "src" / "tucker"


def section(title: str) -> str:
    return TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_ten_files_are_read_in_an_evening() -> None:
    found = re.findall(r"^\d+\. `([^`]+)`", section("An evening's reading"), re.MULTILINE)
    assert len(found) == len(set(found)) == 10
    lines = sum(len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in found)
    assert 1500 < lines < 2600


def test_the_layers_are_those_that_lint_checks() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    checked = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    said = re.findall(r"^    (.+)$", section("Layers"), re.MULTILINE)
    assert said == [layer.replace("tucker.", "") for layer in checked]


def test_files_that_it_names_are_there() -> None:
    named = set(re.findall(r"`((?:src|tests|docs)/[\w/.]+)`", TEXT))
    assert len(named) > 15
    missing = {path for path in named if "NAME" not in path and not (ROOT / path).exists()}
    assert not missing


@pytest.mark.parametrize("kind", ["model", "reasoner", "file format", "recipe"])
def test_everything_is_added_in_five_steps(kind: str) -> None:
    steps = re.findall(r"^(\d)\. ", section(f"A {kind}, in five steps"), re.MULTILINE)
    assert steps == list("12345")


@pytest.mark.parametrize("folder", sorted(SRC.rglob("__init__.py")), ids=lambda p: p.parent.name)
def test_each_folder_says_what_lives_there_and_what_does_not(folder: Path) -> None:
    said = ast.get_docstring(ast.parse(folder.read_text(encoding="utf-8"))) or ""
    first, _, rest = said.partition("\n\n")
    assert first.endswith(".")
    assert rest or folder.parent == SRC, f"{folder}: say what lives elsewhere"
