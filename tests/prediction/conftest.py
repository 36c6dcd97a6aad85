from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl
import pytest
import torch
from numpy.typing import NDArray

from tests.conftest import make_graph
from tucker.graph import Graph, Vocabulary
from tucker.models import Model, TuckER
from tucker.runs import FinishedRun
from tucker.runs.chance_curves import CLOSED_BINS, Calibration, Isotonic, Openness, Platt

REFLEXIVE = 1  # the one relation that holds between some entity and itself


def graph_with_loops() -> Graph:
    """Draw a graph in which only one relation has loops."""
    drawn = make_graph(n_e=12, n_r=3, facts=110, seed=4)
    splits = {}
    for split in ("train", "valid", "test"):
        triples = drawn.split(split)
        splits[split] = triples[triples[:, 0] != triples[:, 2]]
    splits["train"] = np.concatenate([splits["train"], [[5, REFLEXIVE, 5]]])
    labels = pl.Series([None, "Entity one", *[None] * 10], dtype=pl.String)
    entities = Vocabulary("entity", drawn.entities.names, labels)
    return Graph("loops", entities, drawn.relations, **splits)


def make_run(loss: str = "bernoulli", graph: Graph | None = None) -> FinishedRun:
    """Make a run with weights that nobody trained."""
    graph = graph or graph_with_loops()
    torch.manual_seed(1)
    model = TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=5, d_r=3).eval()
    return FinishedRun(None, {"training": {"loss": loss}}, graph, model, {}, [])


@pytest.fixture(params=["bernoulli", "softmax"])
def run(request) -> FinishedRun:
    return make_run(request.param)


@lru_cache
def scores(model: Model) -> NDArray[np.float32]:
    """Score every fact there could be by itself, (n_e, n_r, n_e) with the reciprocals."""
    shape = (model.n_e, model.n_r, model.n_e)
    ids = torch.cartesian_prod(*map(torch.arange, shape))
    with torch.no_grad():
        return model.score(*ids.T).view(shape).numpy()


def score(run: FinishedRun, s: int, r: int, o: int) -> float:
    """Look up one fact; r from n_r on is a reciprocal."""
    return float(scores(run.model)[s, r, o])


def chance(run: FinishedRun, s: int, r: int, o: int) -> float:
    """Say the probability of one fact in plain arithmetic."""
    if run.config["training"]["loss"] == "bernoulli":
        return 1 / (1 + np.exp(-score(run, s, r, o)))
    shares = np.exp(scores(run.model)[s, r])
    return float(shares[o] / shares.sum())


def calibrated_run(
    method: str = "isotonic", loss: str = "softmax", *, fitted: bool = True
) -> FinishedRun:
    """Make an untrained run with made-up curves: of two questions, a pooled one, one of facts."""
    run = make_run(loss)
    isotonic = [
        Isotonic((-4.0, -2.5, -1.5, 0.0), (0.01 * i, 0.1, 0.1 + 0.2 * i, 0.9)) for i in (1, 2)
    ]
    platt = [Platt(0.5 * i, -0.5) for i in (1, 2)]
    first, pooled = isotonic if method == "isotonic" else platt
    counts = np.random.default_rng(0).integers(1, 30, size=(2, 2 * run.graph.n_r, CLOSED_BINS))
    openness = Openness(counts.sum(0), counts[0])
    facts = Isotonic((0.0, 0.05, 0.1, 0.4), (0.0, 0.3, 0.3, 0.8)) if fitted else None
    calibration = Calibration(method, pooled, {0: first, 4: first}, openness, facts)
    return replace(run, calibration=calibration)
