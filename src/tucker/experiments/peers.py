"""The family's table: what PyKEEN reaches with our models on the same split files."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ValidationError

from tucker.errors import ResultError
from tucker.experiments.published import FIGURES, Published, Table
from tucker.experiments.results import Ranking
from tucker.models import MODELS, Trilinear


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
    model = MODELS[name]
    return Published(model=model.__name__, linear=issubclass(model, Trilinear), **figures)
