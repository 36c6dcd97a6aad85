"""The manual is built without a warning, and is read and searched without a network."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from tests.serving.chromium import find_chromium

ROOT = Path(__file__).parents[2]
PARTS = ("Learn", "Do", "Look up", "Understand", "Notebook")
FETCHED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


def built(site, docs=ROOT / "docs"):
    """Build the manual as `make docs` does, into another folder."""
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(site), docs_dir=str(docs))
    assert config.strict
    build(config)
    return site


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        return built(tmp_path_factory.mktemp("manual") / "site")


class Page(HTMLParser):
    """What a page fetches when it is opened, and where it leads."""

    def __init__(self, path):
        super().__init__()
        self.fetched, self.links = [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if found.get(FETCHED.get(tag, "")):
            self.fetched.append(found[FETCHED[tag]])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])


def test_every_page_of_the_manual_is_built_and_reached(site):
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    made = {path.relative_to(site) for path in site.rglob("*.html")} - {Path("404.html")}
    assert made == {page.with_suffix(".html") for page in pages}
    found, todo = set(), [site / "index.html"]
    while todo:
        page = todo.pop()
        if page not in found:
            found.add(page)
            links = [link.partition("#")[0] for link in Page(page).links]
            here = [link for link in links if link.endswith(".html") and "://" not in link]
            todo += [(page.parent / link).resolve() for link in here]
    assert {page.relative_to(site) for page in found} == made


def test_no_page_fetches_anything_from_the_network(site):
    for path in site.rglob("*.html"):
        page = Page(path)
        assert page.fetched
        assert [url for url in page.fetched if re.match(r"(\w+:)?//", url)] == [], path
        for url in page.fetched:
            assert (path.parent / url).exists() or path.name == "404.html", (path, url)
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"url\([\"']?(?:\w+:)?//[^)]*\)|@import[^;]*//", text) == [], path


def test_the_parts_stand_in_the_navigation(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    tabs = re.findall(r'class="md-tabs__link">\s*(.*?)\s*</a>', text, re.DOTALL)
    assert [tab for tab in tabs if tab in PARTS] == list(PARTS)


def test_bars_in_the_code_of_a_table_are_bars(site):
    text = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    assert "--split train|valid|test" in text
    assert "\\|" not in text


def test_a_dead_link_stops_the_build(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs", docs)
    with (docs / "index.md").open("a", encoding="utf-8") as page:
        page.write("\n[nowhere](reference/cli.md#no-such-command)\n")
    with pytest.raises(Abort, match="1 warning"):
        built(tmp_path / "site", docs)


@pytest.mark.browser
@pytest.mark.skipif(find_chromium() is None, reason="no Chromium was found on this system")
def test_the_manual_is_read_and_searched_from_the_disk(site):
    playwright = pytest.importorskip("playwright.sync_api")
    asked, faults = [], []
    with playwright.sync_playwright() as started:
        options = ["--no-sandbox"]
        browser = started.chromium.launch(executable_path=find_chromium(), args=options)
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto((site / "index.html").as_uri())
        page.locator("input.md-search__input").click()
        page.keyboard.type("calibrate")
        page.locator(".md-search-result__link[href*='reference/cli.html']").first.click()
        page.wait_for_url("**/reference/cli.html*")
        assert page.locator("h1").inner_text().startswith("Commands")
        browser.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert faults == []
