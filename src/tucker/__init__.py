"""Find the missing facts of a knowledge graph."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from tucker.errors import TuckerError
from tucker.hints import did_you_mean, nearest

# Torch's threads that wait for each other soon go to sleep: beside other work, spinning makes
# training fifty times as slow. Torch reads it when it is loaded, so it comes first (decision 0008).
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

if TYPE_CHECKING:
    from tucker.api import (
        Recipe,
        Run,
        demo,
        list_models,
        load,
        load_recipe,
        recipe_names,
        reproduce,
        resume,
        train,
    )
    from tucker.graph import (
        Graph,
        convert_graph,
        fetch_dataset,
        graph_stats,
        list_datasets,
        load_graph,
        split_graph,
    )

__version__ = "0.1.0"
__all__ = [
    "Graph",
    "Recipe",
    "Run",
    "TuckerError",
    "convert_graph",
    "demo",
    "fetch_dataset",
    "graph_stats",
    "list_datasets",
    "list_models",
    "load",
    "load_graph",
    "load_recipe",
    "recipe_names",
    "reproduce",
    "resume",
    "split_graph",
    "train",
]

_WITHOUT_TORCH = (  # torch is slow to import: what does not need it does not wait for it
    "Graph",
    "convert_graph",
    "fetch_dataset",
    "graph_stats",
    "list_datasets",
    "load_graph",
    "split_graph",
)


if not TYPE_CHECKING:  # else a type checker would take every name

    def __getattr__(name: str) -> object:
        """Import a public name when it is first asked for."""
        if name in __all__:
            home = "tucker.graph" if name in _WITHOUT_TORCH else "tucker.api"
            return getattr(import_module(home), name)
        if name == "graph":  # the room itself: `tucker.graph.read_facts`
            return import_module("tucker.graph")
        hint = did_you_mean(nearest(name, __all__))
        raise AttributeError(f"module 'tucker' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    """List the public names, whether they were imported already or not."""
    return sorted([*__all__, "__version__"])
