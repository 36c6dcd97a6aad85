"""The page in a real browser, before a real server and a real run.

With TUCKER_SCREENSHOT=FILE.png the last test leaves a picture of the page on the bundled graph.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api")

from tests.serving.chromium import find_chromium  # noqa: E402
from tests.serving.colours import contrast  # noqa: E402
from tests.serving.conftest import IMAGE  # noqa: E402
from tests.serving.server import Server  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium was found on this system"),
]
expect = playwright.expect
WAIT = 20_000  # milliseconds: a busy machine is slow, not wrong


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = started.chromium.launch(executable_path=find_chromium(), args=options)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def url(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("decisions") / "decisions.sqlite"
    with Server(folder, "--decisions", path) as server:
        yield server.url


@pytest.fixture
def page(browser, url):
    """A page that may neither log an error nor ask anyone but its own server."""
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    expect.set_options(timeout=WAIT)
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on(
        "request",
        lambda asked: faults.extend([asked.url] * (not asked.url.startswith((url, "blob:")))),
    )
    page.goto(url)
    yield page
    page.close()
    assert faults == []


def open_entity(page, text, name):
    page.keyboard.press("/")
    page.keyboard.type(text)
    expect(page.locator("#found li").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(name)


def test_search_read_accept_reload_undo_export(page, url, tmp_path):
    expect(page.locator("main h1")).to_have_text("What is missing?")
    open_entity(page, "person z", "Person zero")
    expect(page.get_by_role("region", name="Known").locator("h3")).to_have_count(6)
    expect(page.locator("svg.drawn a")).not_to_have_count(0)
    fact = page.locator(".fact").first
    words = fact.get_attribute("data-fact")
    chance = float(fact.locator("meter").get_attribute("value"))
    assert 0 <= chance <= 1
    fact.get_by_role("button", name="Why").click()
    expect(fact.locator(".why li").first).to_be_visible()

    fact.get_by_role("button", name="Accept").click()
    expect(fact.locator(".verdict")).to_have_text("accepted")
    (decided,) = page.request.get(f"{url}/api/decisions").json()
    page.reload()
    again = page.locator('.fact[data-verdict="accepted"]')
    expect(again).to_have_count(1)
    assert again.get_attribute("data-fact") == words

    page.get_by_role("link", name="Decisions").click()
    for format in ("TSV", "N-Triples"):
        with page.expect_download() as download:
            page.get_by_role("button", name=format).click()
        download.value.save_as(tmp_path / format)
        lines = (tmp_path / format).read_text(encoding="utf-8").splitlines()
        assert len(lines) == {"TSV": 2, "N-Triples": 3}[format]
        written = re.split('[\t"]', lines[-1])[3 if format == "TSV" else 1]
        assert float(written) == decided["probability"]

    kept = page.locator(".fact")
    kept.get_by_role("button", name="Undo").click()
    expect(kept.locator(".verdict")).to_have_text("")
    page.reload()
    expect(page.get_by_text("Nothing has been decided yet.")).to_be_visible()


def test_the_keyboard_alone_is_enough(page):
    open_entity(page, "p5", "p5")
    fact = page.locator(".fact").first
    fact.get_by_role("button", name="Accept").focus()
    page.keyboard.press("r")
    expect(fact.locator(".verdict")).to_have_text("rejected")
    expect(fact.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("u")
    expect(fact.locator(".verdict")).to_have_text("")


def test_the_start_shows_the_best_facts_of_the_graph_and_takes_decisions(page, url):
    facts = page.get_by_role("region", name="Most probable").locator(".fact")
    expect(facts).to_have_count(20)
    expect(page.get_by_text("Use it to compare facts")).to_be_visible()
    assert page.locator("img, .fact b").count() == 0
    best = page.request.post(f"{url}/api/discover", data={"k": 1}).json()[0]
    links = [best.get("labels", {}).get(part, best[part]) for part in ("subject", "object")]
    assert facts.first.locator("a").all_inner_texts() == links
    facts.first.get_by_role("button", name="Accept").focus()
    page.keyboard.press("r")
    expect(facts.first.locator(".verdict")).to_have_text("rejected")
    page.keyboard.press("w")
    expect(facts.first.locator(".why li, .why p").first).to_be_visible()
    page.reload()
    expect(facts.first.locator(".verdict")).to_have_text("rejected")
    facts.first.get_by_role("button", name="Undo").focus()
    page.keyboard.press("u")
    expect(facts.first.locator(".verdict")).to_have_text("")
    page.get_by_role("button", name="Show more").click()
    expect(facts).to_have_count(40)
    expect(facts.nth(20).get_by_role("button", name="Accept")).to_be_focused()


def test_the_start_tells_how_far_the_search_of_the_graph_is(page, url):
    asked = []
    page.goto("about:blank")  # the page that is open may just be asking
    page.route("**/api/discover", lambda route: asked.extend([route]))

    def question(number):
        """Wait for it; its answer is held back until the one before was seen."""
        for _ in range(WAIT // 10):
            if len(asked) > number:
                break
            page.wait_for_timeout(10)
        return asked[number]

    page.goto(url)
    bar = page.get_by_role("progressbar")
    question(0).fulfill(status=202, json={"done": 0.25}, headers={"Retry-After": "1"})
    expect(bar).to_have_js_property("value", 0.25)
    expect(page.get_by_text("25 %")).to_be_visible()
    question(1).fulfill(status=202, json={"done": 0.5}, headers={"Retry-After": "1"})
    expect(bar).to_have_js_property("value", 0.5)
    question(2).continue_()
    expect(page.locator(".fact")).to_have_count(20)
    expect(bar).to_have_count(0)
    assert [one.request.post_data_json for one in asked] == [{"k": 100}] * 3


def test_the_server_is_not_asked_on_for_a_view_that_was_left(page):
    asked = []

    def not_yet(route):
        asked.append(route.request.url)
        route.fulfill(status=202, json={"done": 0.5})

    page.route("**/api/discover", not_yet)
    page.reload()
    expect(page.get_by_role("progressbar")).to_be_visible()
    open_entity(page, "p5", "p5")
    before = len(asked)
    page.wait_for_timeout(1500)
    assert len(asked) == before


def test_a_key_that_is_held_decides_once(page, url):
    posts = []
    open_entity(page, "p5", "p5")
    page.on("request", lambda asked: posts.extend([asked.url] * ("/api/decisions" in asked.url)))
    fact = page.locator(".fact").first
    fact.get_by_role("button", name="Accept").focus()
    for _ in range(5):
        page.keyboard.down("a")  # every one after the first is a repetition
    page.keyboard.up("a")
    expect(fact.locator(".verdict")).to_have_text("accepted")
    assert posts == [f"{url}/api/decisions"]
    page.keyboard.press("u")
    expect(fact.locator(".verdict")).to_have_text("")
    expect(fact.get_by_role("button", name="Accept")).to_be_focused()


def test_an_entity_opened_by_its_label_has_its_decisions(page, url):
    open_entity(page, "person z", "Person zero")
    fact = page.locator(".fact").first
    fact.get_by_role("button", name="Accept").click()
    expect(fact.locator(".verdict")).to_have_text("accepted")
    page.goto(f"{url}/#/entity/Person%20zero")
    page.reload()
    kept = page.locator('.fact[data-verdict="accepted"]')
    expect(kept).to_have_count(1)
    kept.get_by_role("button", name="Undo").click()
    expect(kept).to_have_count(0)


def test_an_unknown_address_is_the_first_page(page, url):
    page.goto(f"{url}/#/constructor")
    page.reload()
    expect(page.locator("main h1")).to_have_text("What is missing?")


def with_card(page, **changes):
    """Let the server's card of the run be another."""

    def changed(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | changes)

    page.route("**/api/run", changed)


@pytest.mark.parametrize("calibration", [None, "isotonic"])
@pytest.mark.parametrize("of_facts", [False, True])
def test_it_says_what_a_percentage_means(page, calibration, of_facts):
    facts_calibrated = bool(calibration) and of_facts
    with_card(page, calibration=calibration, facts_calibrated=facts_calibrated)
    open_entity(page, "p5", "p5")
    meaning = "if the question has a missing answer" if calibration else "the model's own"
    expect(page.get_by_text(meaning)).to_be_visible()
    page.get_by_role("link", name="Discover").click()
    meaning = "of the fact by itself" if facts_calibrated else "Use it to compare facts"
    expect(page.get_by_text(meaning)).to_be_visible()
    supposed = page.get_by_text("lacks about as many facts as were held out for validation")
    expect(supposed).to_have_count(int(facts_calibrated))


def test_a_view_that_takes_long_says_so(page):
    held = []
    page.route("**/api/relations", lambda route: held.extend([route]))
    page.get_by_role("link", name="Discover").click()
    expect(page.get_by_text("Loading…")).to_be_visible()
    held[0].continue_()
    expect(page.locator("h1")).to_have_text("The most probable missing facts")


def test_a_token_is_asked_for_once(browser, folder, tmp_path):
    with Server(folder, "--decisions", tmp_path / "d.sqlite", "--token", "secret") as server:
        page = browser.new_page()
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept("secret")))
        page.goto(server.url)
        expect(page.locator("main h1")).to_have_text("What is missing?", timeout=WAIT)
        assert len(asked) == 1
        page.close()


def test_decisions_that_do_not_fit_are_shown_on_request(page, url):
    new = [(s, o) for s in range(16) for o in range(18) if (o - s) % 20 not in (1, 2, 3)]
    facts = new[:203]  # of 200 at a time
    for s, o in facts:
        body = {"subject": f"p{s}", "relation": "knows", "object": f"p{o}", "verdict": "rejected"}
        assert page.request.post(f"{url}/api/decisions", data=body).ok
    page.get_by_role("link", name="Decisions").click()
    expect(page.locator(".fact")).to_have_count(200)
    expect(page.get_by_text("These are the latest 200")).to_be_visible()
    page.get_by_role("button", name="Show older ones").click()
    expect(page.locator(".fact")).to_have_count(203)
    expect(page.get_by_text("there are older ones")).to_be_hidden()
    for s, o in facts:
        body = {"subject": f"p{s}", "relation": "knows", "object": f"p{o}"}
        assert page.request.post(f"{url}/api/decisions/undo", data=body).ok


def test_relations_that_were_not_asked_are_counted(page, url):
    def cut(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"asked": 64, "worth_asking": 80})

    page.route("**/api/entity?*", cut)
    open_entity(page, "p5", "p5")
    expect(page.get_by_text("Asked for 64 of 80 relations")).to_be_visible()


def test_a_label_that_looks_like_html_stays_text(page):
    open_entity(page, "<img", IMAGE)
    assert page.locator("img").count() == 0
    assert page.title() == f"{IMAGE} – Tucker"
    page.get_by_role("link", name="Discover").click()
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".fact").first).to_be_visible()
    assert page.locator("img, .fact b").count() == 0


def test_names_with_odd_characters_can_be_opened(page):
    open_entity(page, "slash", "slash/ed & #1")
    page.reload()
    expect(page.locator("h1")).to_have_text("slash/ed & #1")


def test_the_run_is_shown(page):
    page.get_by_role("link", name="Run", exact=True).click()
    expect(page.locator("svg.drawn")).to_have_count(2)
    expect(page.get_by_role("rowheader", name="model.d_e")).to_be_visible()


def test_the_run_says_what_its_probabilities_were_worth(page):
    one = {"low": 0.2, "high": 0.3, "predictions": 7, "probability": 0.25, "true": 0.3}
    other = one | {"low": 0.8, "high": 0.9, "probability": 0.85, "true": 0.8}
    found = {"ece": 0.0471, "brier": 0.123, "predictions": 1400, "bins": [one, other]}
    with_card(page, reliability={"test": found, "facts": found, "uncalibrated": found})
    page.get_by_role("link", name="Run", exact=True).click()
    expect(page.get_by_role("figure")).to_have_count(3)
    worth = "Answers: calibration error 0.047, Brier score 0.123"
    expect(page.get_by_role("img", name=worth).locator("circle")).to_have_count(2)
    expect(page.get_by_text(f"{worth}, 1,400 predictions")).to_be_visible()


def test_the_bars_of_decided_facts_stand_below_the_others(page):
    facts = page.locator(".fact")
    expect(facts).to_have_count(20)
    facts.first.get_by_role("button", name="Accept").click()
    expect(facts.first.locator(".verdict")).to_have_text("accepted")
    places = [facts.nth(i).locator("meter").bounding_box() for i in range(3)]
    assert len({(place["x"], place["width"]) for place in places}) == 1
    facts.first.get_by_role("button", name="Undo").click()
    expect(facts.first.locator(".verdict")).to_have_text("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_in_either_scheme(browser, url, scheme):
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page = context.new_page()
    for view in ("entity/p1", "decisions", "run", ""):
        page.goto(f"{url}/#/{view}")
        expect(page.locator("main .fact, main .bar, main svg").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    back, text = (
        page.evaluate(f"getComputedStyle(document.body).{name}")
        for name in ("backgroundColor", "color")
    )
    assert contrast(back, text) >= 7
    page.get_by_role("combobox", name="Search entities").fill("p")
    chosen = page.locator('#found li[aria-selected="true"]')
    back = chosen.evaluate("one => getComputedStyle(one).backgroundColor")
    small = chosen.locator("small").evaluate("one => getComputedStyle(one).color")
    assert contrast(back, small) >= 4.5
    context.close()


@pytest.mark.skipif("TUCKER_SCREENSHOT" not in os.environ, reason="no picture was asked for")
def test_the_picture_of_the_readme(browser, tmp_path):
    from tucker.pipeline.demo import run_demo
    from tucker.runs import RunFolder

    run_demo(RunFolder(tmp_path / "demo"))
    with Server(tmp_path / "demo") as server:
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.set_default_timeout(WAIT)
        page.goto(f"{server.url}/#/entity/Norway")
        fact = page.locator(".fact").first
        fact.get_by_role("button", name="Why").click()
        expect(fact.locator(".why li").first).to_be_visible()
        page.screenshot(path=Path(os.environ["TUCKER_SCREENSHOT"]))
        page.close()
