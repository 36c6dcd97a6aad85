"""What Understand says of the bundled graph, of folders and of models is so."""

from __future__ import annotations

import re
from inspect import signature

import pytest
import yaml

from tests.docs.conftest import DOCS, ROOT
from tucker.graph import load_graph
from tucker.mixture import LEARNERS
from tucker.models import MODELS
from tucker.pipeline.recipe import make_recipe
from tucker.training import TrainingSettings

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in DOCS.glob("understand/*.md")}
PICTURE = (DOCS / "figures" / "all-of-tucker.svg").read_text(encoding="utf-8")


def test_the_fact_that_travels_is_one_of_the_bundled_graph():
    graph = load_graph("world")
    s, r, o = (
        graph.entities.id("Norway"),
        graph.relations.id("borders"),
        graph.entities.id("Finland"),
    )
    for place in (f"({s}, {r}, {o})", f"({s}, {r}) → {{{o}}}"):
        assert place in PICTURE
    page = PAGES["all-of-tucker"]
    assert f"Norway is entity\n{s}, `borders` is relation {r} and Finland is entity {o}" in page
    splits = {split: graph.split(split) for split in ("train", "valid", "test")}
    known = {
        split: {
            graph.entities.name(fact[2])
            for fact in facts.tolist()
            if fact[:2] == [s, r]
        }
        for split, facts in splits.items()
    }  # fmt: skip
    assert known["train"] == {"Finland"}
    assert known["valid"] | known["test"] == {"Sweden", "Russia"}
    borders = graph.known[graph.known[:, 1] == r]
    assert (borders[:, 0] != borders[:, 2]).all()


def test_the_folders_and_files_named_are_there():
    rows = re.findall(
        r"^\| [^|]+ \| (`[^|]+) \| (`[^|]+) \|$", PAGES["all-of-tucker"], re.MULTILINE
    )
    assert len(rows) == 11
    source = ROOT / "src" / "tucker"
    for folders, files in rows:
        places = [source / one for one in re.findall(r"`([^`]+)`", folders)]
        assert all(place.exists() for place in places), folders
        for name in re.findall(r"`([^`]+)`", files):
            assert any((place / name).is_file() for place in places), (folders, name)


def test_every_model_is_explained():
    text = PAGES["models"].partition("<!-- end -->")[2]
    for model in MODELS.values():
        assert re.search(rf"\*\*{model.__name__.replace('RGCN', 'R-GCN')}\*\*", text), model


@pytest.mark.parametrize("name", PAGES)
def test_every_recipe_on_a_page_is_one(name):
    for recipe in re.findall(r"```yaml\n(.*?)```", PAGES[name], re.DOTALL):
        assert make_recipe(yaml.safe_load(recipe))


@pytest.mark.parametrize("name", PAGES)
def test_every_setting_named_exists(name):
    made = make_recipe({"graph": "world", "model": {}, "rules": {}}).model_dump(mode="json")
    known = {f"{part}.{key}" for part in ("model", "training", "rules") for key in made[part]}
    known |= {f"model.{key}" for one in LEARNERS.values() for key in signature(one).parameters}
    named = re.findall(r"`((?:model|training|rules)\.(?!py)\w+)[`:=]", PAGES[name])
    assert set(named) <= known


def test_every_training_setting_is_explained():
    """But those that need no more than their line in the list of settings."""
    plain = {"epochs", "batch_size", "validate_every"}
    pages = PAGES["training"] + PAGES["reasoning"] + PAGES["models"]
    named = set(re.findall(r"`(?:training\.)?(\w+)[`: ]", pages))
    assert TrainingSettings.model_fields.keys() - plain <= named


BOUNDS = [
    ("discovery", "| 2¹⁸ facts of a relation compared |", "MOST_FACTS", 1 << 18),
    ("discovery", "| 2²⁰ edges looked at for paths |", "_EDGES_BETWEEN", 1 << 20),
    ("discovery", "| 256 patterns |", "_MOST_PATTERNS", 256),
    ("discovery", "| 2²¹ paths a count |", "MOST_STEPS", 1 << 21),
    ("discovery", "at most 2¹⁴ paths decides", "_GLANCE", 1 << 14),
    ("discovery", "four for each that is shown", "_FULL_COUNTS", 4),
    ("discovery", "support / (joined + 5)", "_DOUBT", 5),
    ("discovery", "three quarters of the\nentities", "_ALIKE", 0.75),
    ("reasoning", "at\nmost 2¹⁴ edges from a source", "_EDGES_FROM_ONE", 1 << 14),
    ("reasoning", "2²⁷ paths", "_MOST_PATHS", 1 << 27),
    ("reasoning", "2²³ pairs of an entity and a rule", "_MOST_ENTRIES", 1 << 23),
    ("reasoning", "2²⁴ entities", "_MOST_ENTITIES", 1 << 24),
    ("reasoning", "8,192 relations", "_MOST_RELATIONS", 2 * 8192),
    ("reasoning", "one fact in eight", "_SEEN", 1 / 8),
    ("reasoning", "from a share of .8 on", "_SHARE", 0.8),
    ("probabilities", "100 true answers in valid", "_ENOUGH", 100),
    ("probabilities", "its 100 best candidates", "_TOP", 100),
    ("probabilities", "50 drawn at random", "_SAMPLED", 50),
    ("probabilities", "more than 20,000 questions", "_QUESTIONS", 20_000),
    ("probabilities", "ten for\neach fact of valid", "FACTS", 10),
    ("probabilities", "fewer than 100 facts of valid", "_ENOUGH", 100),
    ("probabilities", "occurs 20 times\nor more", "_ENOUGH", 20),
    ("probabilities", "where it has ten facts", "_ENOUGH", 10),
    ("evaluation", "N, from 1.5 on", "_MANY", 1.5),
]


@pytest.mark.parametrize(("page", "said", "name", "value"), BOUNDS)
def test_bounds_are_those_of_the_code(page, said, name, value):
    assert said in PAGES[page]
    assignment = re.compile(rf"^{name} = ([^#\n]+)", re.MULTILINE)
    values = [
        eval(found)
        for path in (ROOT / "src").rglob("*.py")
        for found in assignment.findall(path.read_text(encoding="utf-8"))
        if re.fullmatch(r"[\d_.<>/ ]+", found)
    ]
    assert value in values


def test_the_facts_judged_are_those_of_their_page():
    page = (DOCS / "learn" / "fifty-facts.md").read_text(encoding="utf-8")
    (summary,) = re.findall(r"^\*\*(.+)\*\*$", page, re.MULTILINE)
    assert f"one](../learn/fifty-facts.md): {summary}. " in PAGES["discovery"]
    said = {line.split(" | ")[4] for line in page.splitlines() if re.match(r"\| \d+ \|", line)}
    assert {f"{float(one):.2f}" for one in said} == {"0.97"}


@pytest.mark.parametrize("text", [PICTURE])
def test_the_picture_needs_no_network_and_knows_dark_pages(text):
    assert "prefers-color-scheme: dark" in text
    assert set(re.findall(r"https?://[^\"']+", text)) == {"http://www.w3.org/2000/svg"}
