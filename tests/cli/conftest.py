from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import typer.rich_utils

from tests.cli.running import QUICK, Result, process

ODD_NAMES = ["[bold]x[/bold]", "<img onerror=1>", 'say "hi"', "[/]", "a|b", "Åse", "back\\slash"]
LABELS = {"p0": "Person zero", "p1": "Person one", "knows": "is acquainted with"}


def write_facts(folder: Path) -> Path:
    """Write 20 people who know, like and follow others round a ring, and two labels."""
    people = [f"p{i}" for i in range(13)] + ODD_NAMES
    steps = {"knows": (1, 2, 3), "likes": (2, 5), "follows [x]": (1, 4)}
    facts = [
        (subject, relation, people[(i + step) % len(people)])
        for i, subject in enumerate(people)
        for relation, all_steps in steps.items()
        for step in all_steps
    ]
    path = folder / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    labels = "".join(f"{name}\t{label}\n" for name, label in LABELS.items())
    (folder / "labels.tsv").write_text(labels, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def facts(tmp_path_factory) -> Path:
    return write_facts(tmp_path_factory.mktemp("facts"))


@pytest.fixture(scope="session")
def trained(facts, tmp_path_factory) -> tuple[Path, Result]:
    """A tiny run that the installed script trained, and what that printed."""
    run = tmp_path_factory.mktemp("runs") / "tiny"
    words = ["train", "--graph", facts, "--out", run, "--evaluate", "test", "--json", *QUICK]
    return run, process(*words)


@pytest.fixture(scope="session")
def run(trained) -> Path:
    path, result = trained
    assert result.code == 0, result.err
    return path


@pytest.fixture
def copy(run, tmp_path) -> Path:
    """A copy of the run, to be damaged."""
    return Path(shutil.copytree(run, tmp_path / "copy"))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch) -> None:
    """Nothing lands in the checkout, no dataset of this machine is seen, nothing is coloured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("TUCKER_DATA", "TUCKER_MIRROR", "FORCE_COLOR", "PY_COLORS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(typer.rich_utils, "FORCE_TERMINAL", None)
