from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import typer.rich_utils

from tests.cli.running import QUICK, Result, process, tucker
from tests.conftest import write_people

ODD_NAMES = ["[bold]x[/bold]", "<img onerror=1>", 'say "hi"', "[/]", "a|b", "Åse", "back\\slash"]
LABELS = {"p0": "Person zero", "p1": "Person one", "knows": "is acquainted with"}


@pytest.fixture(scope="session")
def facts(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("facts")
    return write_people(folder, ODD_NAMES, LABELS, ("knows", "likes", "follows [x]"))


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


@pytest.fixture(scope="session")
def learned(tmp_path_factory) -> Path:
    """A run that has learned that people of a group like each other."""
    folder = tmp_path_factory.mktemp("learned")
    pairs = [(a, b) for a in range(20) for b in range(20) if a != b and a % 3 == b % 3]
    (folder / "facts.tsv").write_text("".join(f"p{a}\tlikes\tp{b}\n" for a, b in pairs))
    words = [*QUICK, "--set=training.epochs=60", "--set=training.validate_every=20"]
    graph, run = folder / "facts.tsv", folder / "run"
    assert tucker("train", "--graph", graph, "--out", run, *words).code == 0
    return run


@pytest.fixture
def own(learned, tmp_path) -> Path:
    """A copy of what has learned, to be calibrated."""
    return Path(shutil.copytree(learned, tmp_path / "own"))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch) -> None:
    """Nothing lands in the checkout, no dataset of this machine is seen, nothing is coloured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("TUCKER_DATA", "TUCKER_MIRROR", "FORCE_COLOR", "PY_COLORS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(typer.rich_utils, "FORCE_TERMINAL", None)
