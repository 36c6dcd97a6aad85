"""Settings for whoever chose none: valid for every model, and by the size of the graph."""

from __future__ import annotations

import pytest

from tests.conftest import make_graph
from tucker.graph import load_graph
from tucker.mixture import TRAINED
from tucker.pipeline.defaults import default_settings
from tucker.pipeline.recipe import make_recipe


@pytest.mark.parametrize("model", TRAINED)
@pytest.mark.parametrize("facts", [90, 60_000])
def test_the_defaults_are_valid_for_graphs_of_every_size(model, facts):
    graph = make_graph(n_e=12 if facts < 100 else 400, facts=facts)
    settings = default_settings(graph, model)
    recipe = make_recipe(settings | {"graph": "drawn"})
    assert recipe.model["name"] == model
    # Each key is spelt out as the recipe has it: nothing is lost on the way.
    for key, value in settings["training"].items():
        assert getattr(recipe.training, key) == value


def test_the_defaults_follow_the_size():
    small = default_settings(load_graph("world"))
    large = default_settings(make_graph(n_e=400, facts=60_000))
    assert small["model"]["d_e"] < large["model"]["d_e"]


def test_distances_meet_few_entities_at_a_time_in_large_graphs():
    graph = make_graph(n_e=400, facts=60_000)
    assert default_settings(graph, "transe")["training"]["candidates"] == 1000
    assert "candidates" not in default_settings(graph, "complex")["training"]
    assert "candidates" not in default_settings(make_graph(), "transe")["training"]


def test_dense_graphs_are_smoothed_more():
    sparse, dense = make_graph(n_e=100, facts=150), make_graph(n_e=12, n_r=5, facts=700)
    smoothing = [default_settings(one)["training"]["label_smoothing"] for one in (sparse, dense)]
    assert smoothing == [0.1, 0.2]
