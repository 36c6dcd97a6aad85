"""Tables of the manual that come from the models and from results/ are those of today."""

from __future__ import annotations

import re

import pytest

from benchmarks.tables import TABLES, fill, table
from tests.docs.conftest import DOCS

PAGES = {str(path.relative_to(DOCS)): path for path in sorted(DOCS.rglob("*.md"))}


@pytest.mark.parametrize(
    "name", [name for name in PAGES if "<!-- table:" in PAGES[name].read_text()]
)
def test_the_tables_of_a_page_are_those_of_today(name):
    """`make tables` mends them."""
    text = PAGES[name].read_text(encoding="utf-8")
    assert fill(text) == text
    assert text.count("<!-- table:") == text.count("<!-- end -->")


def test_every_table_stands_on_one_page():
    everything = "".join(path.read_text(encoding="utf-8") for path in PAGES.values())
    assert sorted(re.findall(r"<!-- table: (\S+) -->", everything)) == sorted(TABLES)


def test_a_figure_changed_by_hand_is_found():
    page = (DOCS / "understand" / "probabilities.md").read_text(encoding="utf-8")
    (figure,) = re.findall(r"\| facts by themselves, calibrated \| ([\d.]+) \|", page)
    changed = page.replace(f"calibrated | {figure}", "calibrated | 0.999")
    assert changed != page
    assert fill(changed) == page


def test_a_table_puts_numbers_to_the_right_and_keeps_bars_within_cells():
    assert table(["", "a", "b"], [["|x|", "1,234", "–"], ["y", "–", "z"]]) == (
        "|  | a | b |\n| --- | ---: | --- |\n| \\|x\\| | 1,234 | – |\n| y | – | z |\n"
    )
