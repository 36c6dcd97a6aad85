"""Find the missing facts of a knowledge graph."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tucker.errors import TuckerError
from tucker.graph import Graph, load_graph

# Torch's threads that wait for each other soon go to sleep: beside other work, spinning makes
# training fifty times as slow. Torch reads it when it is loaded, so it comes first (decision 0008).
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

if TYPE_CHECKING:
    from tucker.api import Run, load, train

__version__ = "0.1.0"
__all__ = ["Graph", "Run", "TuckerError", "load", "load_graph", "train"]


def __getattr__(name: str) -> object:
    """Import torch only when a model is wanted: looking at a graph does not need it."""
    if name in ("Run", "load", "train"):
        from tucker import api  # noqa: PLC0415

        return getattr(api, name)
    raise AttributeError(f"module 'tucker' has no attribute {name!r}")
