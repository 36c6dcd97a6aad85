"""R-GCN beyond the shared suite: layers, and which facts it hears of."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import torch

import tucker
from tests.conftest import make_graph
from tests.contract.references import REFERENCES
from tucker.graph import Graph
from tucker.mixture import build_model
from tucker.models.rgcn import RGCN

CONFIG: dict[str, Any] = {"model": {"name": "rgcn", "d_e": 4}}


def of_graph(graph: Graph, **settings: float) -> RGCN:
    model = RGCN(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=4, **settings).double().eval()
    model.take_facts(torch.from_numpy(graph.train))
    return model


def test_layers_are_the_formula_again(graph: Graph) -> None:
    model = of_graph(graph, layers=3, bases=2)
    facts = torch.from_numpy(graph.train)
    for triple in ((0, 1, 2), (3, 4, 3), (11, 0, 5)):
        expected = REFERENCES["rgcn"](model, *triple, facts)
        found = model.score(*(torch.tensor([id]) for id in triple))
        torch.testing.assert_close(found[0], expected)


def test_an_entity_without_facts_hears_nothing() -> None:
    model = RGCN(n_e=3, n_r=2, d_e=4).eval()
    model.take_facts(torch.tensor([[0, 0, 2]]))
    torch.testing.assert_close(model.entities()[1], model.E[1] @ model.W_0[0])
    assert not torch.allclose(model.entities()[0], model.E[0] @ model.W_0[0])


def test_facts_of_validation_and_test_are_not_heard_of(graph: Graph) -> None:
    s, r = torch.arange(graph.n_e), torch.arange(graph.n_e) % graph.n_r
    fewer = dataclasses.replace(graph, valid=graph.valid[:1], test=graph.test[:1])
    fewer_facts = dataclasses.replace(graph, train=graph.train[1:])
    scores = []
    for one in (graph, fewer, fewer_facts):
        torch.manual_seed(0)
        scores.append(build_model(CONFIG, one).eval().score_objects(s, r))
    assert torch.equal(scores[0], scores[1])
    assert not torch.equal(scores[0], scores[2])


def test_edges_are_dropped_in_training_alone(graph: Graph) -> None:
    model = of_graph(graph, dropout_self=0.0)
    assert torch.equal(model.entities(), model.entities())
    model.train()
    assert not torch.equal(model.entities(), model.entities())


def test_a_run_brings_its_training_facts_along(tmp_path: Path) -> None:
    """In the table of known facts: the weights hold none of them."""
    graph = make_graph(n_e=14, facts=160)
    run = tucker.train(graph, model="rgcn", d_e=8, epochs=2, out=tmp_path / "run", progress=False)
    loaded = tucker.load(tmp_path / "run")
    s, r = torch.arange(14), torch.arange(14) % 6
    assert torch.equal(loaded.model.score_objects(s, r), run.model.score_objects(s, r))
    assert loaded.evaluate("test").metrics == run.evaluate("test").metrics
    assert loaded.model.edges.shape == (2, 2 * len(graph.train))
    assert not {"edges", "first", "share"} & set(loaded.model.state_dict())
    trained = {(int(s), int(r)) for s, r, _ in graph.train}
    sources = loaded.model.edges.T[loaded.model.edges[1] < graph.n_r]
    assert set(map(tuple, np.asarray(sources).tolist())) == trained
