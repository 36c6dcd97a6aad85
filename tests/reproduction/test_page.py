"""The page of everything: figures of results, links to them, and what is not reproduced."""

from __future__ import annotations

import re
from pathlib import Path

from tucker.reproduction.compare import compare
from tucker.reproduction.page import beaten, sheets_of, write_page
from tucker.reproduction.published import TABLES
from tucker.reproduction.reproduce import chosen_results, table_recipes
from tucker.reproduction.results import load_results

RESULTS = Path(__file__).parents[2] / "results"


def test_the_page_stands_alone_and_links_results(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "page.html"
    missing = write_page(page, results=RESULTS)
    text = page.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r'(src|href)="https?:', text)
    links = re.findall(r'href="([^"]+\.json)"', text)
    assert len(links) >= len(load_results(RESULTS / "table3"))
    assert all((page.parent / link).is_file() for link in links)
    assert all(one in text.replace("&#x27;", "'").replace("&quot;", '"') for one in missing)
    for one in load_results(RESULTS / "table4"):
        assert one.recipe in text


def test_without_results_it_says_what_is_missing(tmp_path: Path) -> None:
    missing = write_page(tmp_path / "page.html", results=tmp_path / "none")
    assert any("tucker reproduce theorem1 --train" in one for one in missing)
    assert any("MINERVA on FB15k-237 is published" in one for one in missing)


def test_measured_rows_follow_the_published_ones() -> None:
    table = TABLES["table3"]
    found = compare(table, chosen_results(RESULTS / "table3"), table_recipes(table))
    first = sheets_of(found)[0].rows
    place = next(i for i, row in enumerate(first) if row[:2] == ["ComplEx", "published"])
    assert first[place + 1][:2] == ["ComplEx", "rows/wn18rr/complex"]
    above, both = beaten(found)
    assert 0 < above <= both
