"""What is to be trained, made of what people give; trainings themselves are in api/test_train."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import make_graph
from tucker.errors import RunError, SettingsError, TrainingStopped
from tucker.pipeline import load_recipe
from tucker.pipeline.defaults import default_settings
from tucker.pipeline.job import further_job, is_recipe, new_job, place, watched
from tucker.pipeline.recipe import make_recipe, merged
from tucker.runs import RunFolder

NOTHING = {"model": None, "settings": {}, "sections": {}, "changes": (), "out": None}


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("given", "recipe"),
    [
        ("paper/wn18rr", True),
        (Path("paper/wn18rr"), True),
        ("demo", True),
        ("paper/wn18r", True),  # mistyped: the error names the nearest recipes
        ("mine.yaml", True),
        (Path("mine.yml"), True),
        ("world", False),
        ("WN18RR", False),
        ("wn18", False),
        ("facts.tsv", False),
        ("fast/fb15k.tsv", False),
        ("", False),
    ],
)
def test_graphs_and_recipes_are_told_apart(given, recipe):
    assert is_recipe(given) == recipe


def test_a_folder_goes_before_a_recipe_of_its_name(graph, tmp_path):
    (tmp_path / "paper" / "wn18rr").mkdir(parents=True)
    assert not is_recipe("paper/wn18rr")
    assert not is_recipe(graph)
    assert is_recipe(load_recipe("paper/wn18"))


def test_without_a_recipe_what_is_not_said_is_chosen_for_the_graph():
    graph = make_graph()
    said = {"training": {"epochs": 7}, "model": {"d_e": 9}, "graph": "drawn"}
    wanted = make_recipe(merged(default_settings(graph), said))
    assert new_job(graph, None, **NOTHING | {"settings": {"epochs": 7, "d_e": 9}}).recipe == wanted
    job = new_job(graph, None, **NOTHING | {"changes": ["training.epochs=7", "model.d_e=9"]})
    assert job.recipe == wanted
    assert (job.graph, job.folder, job.resume) == (graph, None, False)


def test_with_a_recipe_nothing_is_chosen():
    graph, recipe = make_graph(), load_recipe("paper/wn18rr")
    job = new_job(graph, recipe, **NOTHING)
    assert job.recipe == recipe.model_copy(update={"graph": "drawn"})
    assert new_job(graph, "paper/wn18rr", **NOTHING).recipe == job.recipe


def test_the_model_may_be_changed_by_every_road():
    graph = make_graph()
    for more in (
        {"model": "complex"},
        {"changes": {"model.name": "complex"}},
        {"changes": ["model.name=complex"]},
        {"model": "rescal", "changes": {"model.name": "complex"}},
    ):
        assert new_job(graph, None, **NOTHING | more).recipe.model["name"] == "complex"
    with pytest.raises(SettingsError, match="no model 'complx'; did you mean complex"):
        new_job(graph, None, **NOTHING | {"model": "complx"})


def test_places(tmp_path):
    assert place(None, "facts") is None
    assert place("mine", "facts").path == Path("mine")
    for name in ("facts", "facts-2", "facts-3"):
        folder = place(True, "facts").path
        assert folder == Path("runs") / name
        folder.mkdir(parents=True)


def test_only_a_run_in_a_folder_is_trained_on(graph):
    class InMemory:
        path = None

    with pytest.raises(RunError, match="save this one first"):
        further_job(InMemory(), None, settings={}, sections={}, changes=(), out=None)


def test_a_stop_says_where_to_go_on_if_anything_is_kept(graph, tmp_path):
    def stopped(folder):
        with watched(folder, progress=False) as bar:
            assert bar is None
            raise KeyboardInterrupt

    folder = RunFolder(tmp_path / "run")
    for nothing in (None, folder):
        with pytest.raises(KeyboardInterrupt) as caught:
            stopped(nothing)
        assert caught.type is KeyboardInterrupt
    folder.begin({"graph": "drawn"}, graph)
    with pytest.raises(TrainingStopped, match=r"go on with tucker.resume\('.*run'\)"):
        stopped(folder)
