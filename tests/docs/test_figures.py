"""The figures of the manual are those that the files in results/ give: `make figures`."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import pytest

from benchmarks.page import draw, load
from tests.cli.running import tucker

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "figures"


def same(drawn, name):
    """Compare two pictures, if this version of Matplotlib drew the one that is kept."""
    kept = (FIGURES / name).read_text(encoding="utf-8")
    if f"Matplotlib v{mpl.__version__}," not in kept:
        pytest.skip("the figures were drawn by another version of Matplotlib")
    return drawn.read_text(encoding="utf-8") == kept


@pytest.mark.parametrize("table", ["table3", "table4"])
def test_the_curves_of_a_table_are_those_of_the_results(table, tmp_path):
    picture = tmp_path / f"{table}.svg"
    result = tucker("reproduce", table, "--results", ROOT / "results", "--plot", picture)
    assert result.code == 0
    assert same(picture, picture.name)


def test_the_plots_of_the_benchmarks_are_those_of_the_results(tmp_path):
    draw(tmp_path, load(ROOT / "results" / "benchmarks"))
    drawn = sorted(tmp_path.iterdir())
    assert len(drawn) == len(list(FIGURES.glob("benchmarks-*.svg"))) > 0
    for picture in drawn:
        assert same(picture, picture.name), picture.name


def test_every_figure_is_on_a_page():
    pages = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md"]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    shown = set(re.findall(r"figures/([\w.-]+)", text))
    assert {path.name for path in FIGURES.iterdir()} <= shown
