"""What the pages of reference speak of: a small graph, runs on it, a dataset to fetch."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer.rich_utils

from tests.cli.running import tucker
from tests.graph.datasets.conftest import mirror, tiny  # noqa: F401

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SMALL = ["--set=model.d_e=8", "--set=training.validate_every=10"]
RULED = ("model.d_r=4", "rules.facts=64", "rules.most=50")
EPOCHS = 20  # so many that calibration finds something to go by


@pytest.fixture(scope="session")
def likes(tmp_path_factory) -> Path:
    """A graph of people of three groups: those of a group like each other."""
    folder = tmp_path_factory.mktemp("likes")
    pairs = [(a, b) for a in range(24) for b in range(24) if a != b and a % 3 == b % 3]
    facts = [f"p{a}\t{relation}\tp{b}\n" for a, b in pairs for relation in ("likes", "knows")]
    (folder / "facts.tsv").write_text("".join(facts), encoding="utf-8")
    (folder / "labels.tsv").write_text("p1\tPerson one\nlikes\tis fond of\n", encoding="utf-8")
    return folder / "facts.tsv"


@pytest.fixture(scope="session")
def made(likes, tmp_path_factory) -> Path:
    """A run with rules."""
    run = tmp_path_factory.mktemp("runs") / "made"
    more = [
        f"--set=training.epochs={EPOCHS}",
        "--set=model.d_r=4",
        "--set=rules.facts=64",
        "--set=rules.most=50",
    ]
    result = tucker("train", "--graph", likes, "--out", run, *SMALL, *more)
    assert result.code == 0, result.err
    return run


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch) -> None:
    """Nothing lands in the checkout, no dataset of this machine is seen, nothing is coloured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("TUCKER_DATA", "TUCKER_MIRROR", "FORCE_COLOR", "PY_COLORS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(typer.rich_utils, "FORCE_TERMINAL", None)
