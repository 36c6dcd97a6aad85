"""What Understand says of the bundled graph, of folders and of models is so."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.docs.conftest import DOCS, ROOT
from tucker.graph import load_graph
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
    assert len(rows) == 10
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
    known |= {"model.scale"}  # TorusE's
    named = re.findall(r"`((?:model|training|rules)\.(?!py)\w+)[`:=]", PAGES[name])
    assert set(named) <= known


def test_every_training_setting_is_explained():
    """But those that need no more than their line in the list of settings."""
    plain = {"epochs", "batch_size", "validate_every"}
    pages = PAGES["training"] + PAGES["reasoning"] + PAGES["models"]
    named = set(re.findall(r"`(?:training\.)?(\w+)[`: ]", pages))
    assert TrainingSettings.model_fields.keys() - plain <= named


@pytest.mark.parametrize("text", [PICTURE])
def test_the_picture_needs_no_network_and_knows_dark_pages(text):
    assert "prefers-color-scheme: dark" in text
    assert set(re.findall(r"https?://[^\"']+", text)) == {"http://www.w3.org/2000/svg"}
