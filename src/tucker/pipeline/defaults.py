"""Settings that serve a graph of a given size when nobody chose any."""

from __future__ import annotations

from tucker.graph import Graph
from tucker.mixture import TRAINED
from tucker.pipeline.recipe import Settings

_SMALL = 50_000  # training facts
_DENSE = 20  # training facts an entity


def default_settings(graph: Graph, model: str = "tucker") -> Settings:
    """Return model and training settings for a graph; every one can be changed.

    Those for small graphs were chosen on the validation splits of world (sparse), umls and kinship
    (dense); those for large ones are a start that no search has refined yet.
    """
    if model == "pathnet":
        return _path_network(graph)
    if len(graph.train) >= _SMALL:
        settings = _large()
        if model in TRAINED and not TRAINED[model].meets_by_product:
            settings["training"]["candidates"] = 1000  # distances cost many times a product
    elif len(graph.train) >= _DENSE * graph.n_e:
        settings = _small((0.0, 0.0, 0.2), epochs=60, batch_size=64, label_smoothing=0.2)
    else:
        settings = _small((0.2, 0.2, 0.3), epochs=100, batch_size=128, label_smoothing=0.1)
    return settings if model == "tucker" else settings | {"model": {"name": model}}


def _small(
    dropouts: tuple[float, float, float], *, epochs: int, batch_size: int, label_smoothing: float
) -> Settings:
    places = ("dropout_subject", "dropout_relation", "dropout_query")
    return {
        "model": {
            "name": "tucker",
            "d_e": 100,
            "d_r": 30,
            **dict(zip(places, dropouts, strict=True)),
        },
        "training": {
            "epochs": epochs,
            "batch_size": batch_size,
            "loss": "softmax",
            "answer_weight": 0.5,
            "label_smoothing": label_smoothing,
            "learning_rate": 0.01,
            "schedule": "linear",
            "average": 0.99,
            "validate_every": 5,
            "patience": 8,
        },
    }


def _large() -> Settings:
    return {
        "model": {
            "name": "tucker",
            "d_e": 200,
            "d_r": 100,
            "dropout_subject": 0.3,
            "dropout_relation": 0.3,
            "dropout_query": 0.5,
        },
        "training": {
            "epochs": 50,
            "batch_size": 512,
            "loss": "softmax",
            "answer_weight": 0.5,
            "label_smoothing": 0.1,
            "learning_rate": 0.003,
            "schedule": "linear",
            "average": 0.999,
            "validate_every": 5,
            "patience": 3,
        },
    }


def _path_network(graph: Graph) -> Settings:
    """Walk further where entities have few facts; go on from some entities where graphs are large.

    Chosen on the validation splits of world, umls and kinship; for large graphs it is a start.
    """
    large = len(graph.train) >= _SMALL
    dense = len(graph.train) >= _DENSE * graph.n_e
    steps, most = (5, 1000) if large else (3 if dense else 4, None)
    return {
        "model": {"name": "pathnet", "steps": steps, "most_entities": most},
        "training": {
            "epochs": 2 if large else 12,
            "batch_size": 32,
            "group_size": 1,
            "most_answers": 4,
            "loss": "softmax",
            "answer_weight": 1.0,
            "learning_rate": 0.003,
            "schedule": "linear",
            "validate_every": 1,
            "patience": 0,
        },
    }
