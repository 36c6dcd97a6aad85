from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import make_graph
from tucker.experiments import Recipe
from tucker.experiments.recipe import make_recipe, merged
from tucker.graph import Graph

SETTINGS = {
    "graph": "drawn",
    "model": {"name": "tucker", "d_e": 8, "d_r": 4},
    "training": {
        "epochs": 4,
        "batch_size": 16,
        "learning_rate": 0.01,
        "validate_every": 1,
        "patience": 0,
    },
}


def tiny(**changes: Any) -> Recipe:
    """Make a recipe that trains in a moment."""
    return make_recipe(merged(SETTINGS, changes))


@pytest.fixture
def graph() -> Graph:
    return make_graph(n_e=14, n_r=3, facts=160)
