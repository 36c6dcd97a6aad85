"""The models as rows of the paper's Table 1, with exact parameter counts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from pydantic import BaseModel, ValidationError

from tucker.errors import ResultError
from tucker.graph import Graph, load_graph
from tucker.graph.datasets.catalogue import DATASETS
from tucker.mixture import TRAINED
from tucker.models import Model, Trilinear
from tucker.reproduction.published import FIGURES, Published, Table
from tucker.reproduction.results import Ranking

_ROW = re.compile(
    r"(?P<score>φ\(s, r, o\) = .+), with (?P<relation>.+); space (?P<space>O\(.+\))\."
)


@dataclass(frozen=True)
class ModelCard:
    """A model of the family, in the words of its own docstring."""

    name: str  # as `--model` takes it
    score: str  # φ(s, r, o)
    relation: str  # its parameters
    space: str  # how its parameters grow
    fully_expressive: bool  # whether it can tell any facts from all others
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


def family(sizes: Mapping[str, tuple[int, int]] | None = None) -> list[ModelCard]:
    """Return every model; with sizes (n_e, n_r) by graph, also its number of parameters there."""
    return [_member(name, model, sizes or {}) for name, model in TRAINED.items()]


def list_models(graphs: Iterable[Graph | str] = ()) -> list[ModelCard]:
    """List every model: its scoring function, space, expressiveness and number of parameters.

    Parameters are counted for the graphs that are given, at the models' default dimensions.

    >>> [model.parameters["world"] for model in tucker.list_models(["world"])]
    """
    sizes = {}
    for graph in graphs:
        if isinstance(graph, Graph):
            sizes[graph.name] = graph.n_e, graph.n_r
        else:
            sizes[graph] = graph_size(graph)
    return family(sizes)


def graph_size(source: str) -> tuple[int, int]:
    """Return how many entities and relations a graph has; a named dataset need not be fetched."""
    if source in DATASETS:
        return DATASETS[source].entities, DATASETS[source].relations
    graph = load_graph(source)
    return graph.n_e, graph.n_r


def count_parameters(name: str, n_e: int, n_r: int) -> int:
    """Return how many numbers a model learns at its default dimensions, reciprocals included."""
    with torch.device("meta"):  # shapes without memory
        return TRAINED[name](n_e=n_e, n_r=2 * n_r).count_parameters()


def _member(name: str, model: type[Model], sizes: Mapping[str, tuple[int, int]]) -> ModelCard:
    words = " ".join((inspect.getdoc(model) or "").partition("\n\n")[0].split())
    row = _ROW.fullmatch(words)
    if not row:
        raise ValueError(f"the docstring of {name} does not begin as a row of Table 1: {words}")
    return ModelCard(
        name=name,
        score=row["score"],
        relation=row["relation"],
        space=row["space"],
        fully_expressive=model.fully_expressive,
        parameters={graph: count_parameters(name, *size) for graph, size in sizes.items()},
    )


class Peer(BaseModel):
    """A model of PyKEEN as it was measured; its settings stand beside this in the file."""

    test: Ranking


class Peers(BaseModel):
    """What `make bench-family-peers` wrote: the peers by the names of our models."""

    version: str
    umls: dict[str, Peer] = {}
    kinship: dict[str, Peer] = {}


def family_table(path: Path) -> Table:
    """Return the table with the peers of a file; without the file it has none."""
    peers = _load(path) if path.exists() else Peers(version="(not measured)")
    graphs = {"umls": peers.umls, "kinship": peers.kinship}
    return Table(
        "family",
        "The family",
        {graph: tuple(_row(*item) for item in found.items()) for graph, found in graphs.items()},
        source=f"PyKEEN {peers.version}, measured by benchmarks/family_peers.py",
    )


def _load(path: Path) -> Peers:
    try:
        return Peers.model_validate_json(path.read_bytes())
    except ValidationError as error:
        message = f"{path}: holds no peers ({error.errors()[0]['msg']})"
        hint = "restore it, or measure with: make bench-family-peers"
        raise ResultError(f"{message}; {hint}") from error


def _row(name: str, peer: Peer) -> Published:
    figures = {figure: getattr(peer.test, figure) for figure in FIGURES}
    model = TRAINED[name]
    return Published(model=model.__name__, linear=issubclass(model, Trilinear), **figures)
