"""Settings that serve a graph of a given size when nobody chose any."""

from __future__ import annotations

from tucker.experiments.recipe import Settings
from tucker.graph import Graph

_SMALL = 50_000  # training triples


def default_settings(graph: Graph, model: str = "tucker") -> Settings:
    """Return model and training settings for a graph; every one can be changed."""
    settings = _small() if len(graph.train) < _SMALL else _large()
    return settings if model == "tucker" else settings | {"model": {"name": model}}


def _small() -> Settings:
    return {
        "model": {
            "name": "tucker",
            "d_e": 100,
            "d_r": 30,
            "dropout_subject": 0.2,
            "dropout_relation": 0.2,
            "dropout_query": 0.3,
        },
        "training": {
            "epochs": 100,
            "batch_size": 128,
            "loss": "softmax",
            "answer_weight": 0.5,
            "label_smoothing": 0.1,
            "learning_rate": 0.01,
            "schedule": "linear",
            "average": 0.99,
            "validate_every": 10,
            "patience": 5,
        },
    }


def _large() -> Settings:
    return {
        "model": {"name": "tucker", "d_e": 200, "d_r": 100},
        "training": {
            "epochs": 60,
            "batch_size": 512,
            "loss": "softmax",
            "answer_weight": 0.5,
            "learning_rate": 0.003,
            "decay": 0.97,
            "validate_every": 5,
            "patience": 3,
        },
    }
