"""The models as rows of the paper's Table 1, with exact parameter counts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from tucker.graph import load_graph
from tucker.graph.catalogue import DATASETS
from tucker.models import MODELS, Model

_ROW = re.compile(
    r"(?P<score>φ\(s, r, o\) = .+), with (?P<relation>.+); space (?P<space>O\(.+\))\."
)


@dataclass(frozen=True)
class Member:
    """A model of the family, in the words of its own docstring."""

    name: str
    score: str
    relation: str  # its parameters
    space: str
    fully_expressive: bool
    parameters: dict[str, int] = field(default_factory=dict)  # by graph, at default dimensions

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker models --json` prints."""
        return {
            "model": self.name,
            "score": self.score,
            "relation": self.relation,
            "space": self.space,
            "fully_expressive": self.fully_expressive,
            **({"parameters": self.parameters} if self.parameters else {}),
        }


def family(sizes: Mapping[str, tuple[int, int]] | None = None) -> list[Member]:
    """Return every model; with sizes (n_e, n_r) by graph, also its number of parameters there."""
    return [_member(name, model, sizes or {}) for name, model in MODELS.items()]


def graph_size(source: str) -> tuple[int, int]:
    """Return how many entities and relations a graph has; a named dataset need not be fetched."""
    if source in DATASETS:
        return DATASETS[source].entities, DATASETS[source].relations
    graph = load_graph(source)
    return graph.n_e, graph.n_r


def count_parameters(name: str, n_e: int, n_r: int) -> int:
    """Return how many numbers a model learns at its default dimensions, reciprocals included."""
    with torch.device("meta"):  # shapes without memory
        return MODELS[name](n_e=n_e, n_r=2 * n_r).count_parameters()


def _member(name: str, model: type[Model], sizes: Mapping[str, tuple[int, int]]) -> Member:
    words = " ".join((inspect.getdoc(model) or "").partition("\n\n")[0].split())
    row = _ROW.fullmatch(words)
    if not row:
        raise ValueError(f"the docstring of {name} does not begin as a row of Table 1: {words}")
    return Member(
        name=name,
        score=row["score"],
        relation=row["relation"],
        space=row["space"],
        fully_expressive=model.fully_expressive,
        parameters={graph: count_parameters(name, *size) for graph, size in sizes.items()},
    )
