"""New entities without retraining: embeddings solved for, everything else fixed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import torch
from torch import Tensor

from tucker.errors import RunError, TuckerError
from tucker.graph import Graph, Ids, with_reciprocals
from tucker.graph.extend import extend_graph, extends
from tucker.models import Model, WithRules
from tucker.prediction.solve import PRIOR, Solver
from tucker.runs import SavedRun
from tucker.runs.saved import build_model


def fold_in(
    run: SavedRun, facts: pl.DataFrame | Iterable[tuple[str, str, str]], *, prior: float = PRIOR
) -> SavedRun:
    """Return a run, in memory, whose graph has more facts; new names get embeddings.

    The embedding of a new entity is the one that suits its own facts best under the run's loss;
    no other number changes. Probabilities are to be calibrated anew.
    """
    if not isinstance(facts, pl.DataFrame):
        schema = dict.fromkeys(("subject", "relation", "object"), pl.String)
        facts = pl.DataFrame(list(facts), schema, orient="row")
    return on_graph(run, extend_graph(run.graph, facts), prior=prior)


def on_graph(run: SavedRun, graph: Graph, *, prior: float = PRIOR) -> SavedRun:
    """Return a run, in memory, on a graph that extends its own; new entities are folded in."""
    before = run.graph.n_e
    if not extends(graph, run.graph):
        raise RunError(f"the graph {graph.name} does not extend that of the run")
    embedding = run.model.embedding
    if type(embedding).entities is not Model.entities and graph.n_e > before:
        name = type(embedding).__name__
        raise RunError(f"{name} computes entities from the whole graph: train anew with new ones")
    model = _enlarged(embedding, run.config, graph)
    if graph.n_e > before:
        loss = run.config["training"]["loss"]
        solver = Solver(model, graph, loss, trained=before, prior=prior)
        for entity, own in _in_order(graph, before):
            solver.solve(entity, own)
    if isinstance(run.model, WithRules):
        model = run.model.around(model, torch.from_numpy(graph.train))
    return replace(run, path=None, graph=graph, model=model, calibration=None)


@torch.no_grad()
def _enlarged(smaller: Model, config: dict[str, Any], graph: Graph) -> Model:
    """Make the model of the larger graph; what it has beyond the old one is the mean over rows."""
    model = build_model({**config, "rules": None}, graph).to(smaller.E)
    old = smaller.state_dict()
    model.load_state_dict(
        {
            name: _grown(old[name], len(new)) if new.dim() else old[name]
            for name, new in model.state_dict().items()
        }
    )
    return model.eval()


def _grown(rows: Tensor, count: int) -> Tensor:
    if count == len(rows):
        return rows
    return torch.cat([rows, rows.mean(0, keepdim=True).expand(count - len(rows), *rows.shape[1:])])


def _in_order(graph: Graph, before: int) -> list[tuple[int, Ids]]:
    """Return the new entities, each with its facts (it, relation, other) about those before it.

    One that is joined to trained entities comes before one joined to new ones alone.
    """
    edges = with_reciprocals(graph.train, graph.n_r)
    edges = edges[edges[:, 0] >= before]
    placed = np.arange(graph.n_e) < before
    order = []
    while not placed.all():
        usable = edges[placed[edges[:, 2]] & ~placed[edges[:, 0]]]
        if not len(usable):
            name = graph.entities.name(int(np.flatnonzero(~placed)[0]))
            raise TuckerError(f"no fact joins the new entity {name!r} to an entity of the run")
        for entity in np.unique(usable[:, 0]).tolist():
            order.append((entity, usable[usable[:, 0] == entity]))
            placed[entity] = True
    return order
