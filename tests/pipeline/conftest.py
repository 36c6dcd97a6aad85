from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import make_graph
from tucker.graph import Graph
from tucker.pipeline import Recipe
from tucker.pipeline.recipe import make_recipe, merged

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


NAMES = {
    "fast/wn18rr": "WN18RR",
    "fast/fb15k-237": "FB15k-237",
    "paper/wn18rr": "WN18RR",
    "fast/wn18": "WN18",
    "family/umls/tucker": "umls",
    "family/kinship/tucker": "kinship",
}


def ship_tiny_recipes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put tiny recipes, and a drawn graph for every dataset, in the place of the real ones."""
    for name, dataset in NAMES.items():
        path = folder / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(SETTINGS | {"graph": dataset, "about": {"doubts": []}}))
    monkeypatch.setattr("tucker.pipeline.shipped._FOLDER", folder)
    monkeypatch.setattr(
        "tucker.reproduction.reproduce.load_graph",
        lambda name: replace(make_graph(n_e=14, n_r=3, facts=160), name=name),
    )


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    ship_tiny_recipes(tmp_path / "recipes", monkeypatch)
    return tmp_path / "recipes"


@pytest.fixture
def graph() -> Graph:
    return make_graph(n_e=14, n_r=3, facts=160)
