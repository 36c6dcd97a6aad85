"""The measures of a relation's matrix against the scores of all pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.conftest import make_graph
from tucker.errors import RunError, UnknownNameError
from tucker.graph import Graph
from tucker.mixture import build_model
from tucker.models import MODELS, Trilinear
from tucker.prediction.inspect import asymmetry, inspect_relations, relation_matrix
from tucker.runs import FinishedRun

LINEAR = [name for name, model in MODELS.items() if issubclass(model, Trilinear)]


def run(name: str, graph: Graph | None = None) -> FinishedRun:
    graph = graph or make_graph()
    config = {"model": {"name": name, "d_e": 8, "batch_norm": False}}
    return FinishedRun(None, config, graph, build_model(config, graph).eval(), {}, [])


def test_asymmetry_goes_from_symmetric_to_antisymmetric() -> None:
    matrix = torch.randn(30, 30)
    assert asymmetry(matrix + matrix.T) == 0
    assert asymmetry(matrix - matrix.T) == pytest.approx(1)
    assert asymmetry(matrix) == pytest.approx(0.5**0.5, abs=0.05)
    assert asymmetry(-3 * matrix) == pytest.approx(asymmetry(matrix))
    assert asymmetry(torch.zeros(3, 3)) == 0


@pytest.mark.parametrize("name", LINEAR)
def test_a_relations_matrix_gives_its_scores(name: str) -> None:
    saved = run(name)
    E, W_r = saved.model.E.detach(), relation_matrix(saved, "r1")
    s = torch.arange(saved.graph.n_e)
    scores = saved.model.score_objects(s, torch.ones_like(s)).detach()
    torch.testing.assert_close(E @ W_r @ E.T, scores)
    (shape,) = inspect_relations(saved, ["r1"])
    assert shape.asymmetry == pytest.approx(asymmetry(W_r))
    assert shape.asymmetry_of_scores == pytest.approx(asymmetry(scores), abs=1e-4)
    assert shape.norm == pytest.approx(float(W_r.norm()))


def test_distmult_knows_symmetric_relations_alone() -> None:
    for shape in inspect_relations(run("distmult")):
        assert shape.asymmetry == shape.asymmetry_of_scores == 0


def test_all_relations_come_the_most_asymmetric_first() -> None:
    shapes = inspect_relations(run("complex"))
    assert {shape.relation for shape in shapes} == {"r0", "r1", "r2"}
    assert shapes == sorted(shapes, key=lambda shape: -shape.asymmetry)
    named = inspect_relations(run("complex"), ["r2", "r0"])
    assert [shape.relation for shape in named] == ["r2", "r0"]


def test_facts_known_both_ways() -> None:
    train = np.array([[0, 0, 1], [1, 0, 0], [2, 0, 2], [3, 0, 4], [0, 1, 1]])
    none = np.empty((0, 3), dtype=np.int64)
    graph = replace(make_graph(), train=train, valid=np.array([[1, 1, 0]]), test=none)
    shapes = {shape.relation: shape for shape in inspect_relations(run("cp", graph))}
    assert (shapes["r0"].facts, shapes["r0"].both_ways) == (4, 0.75)
    assert (shapes["r1"].facts, shapes["r1"].both_ways) == (2, 1.0)
    assert (shapes["r2"].facts, shapes["r2"].both_ways) == (0, None)


def test_what_cannot_be_looked_into() -> None:
    with pytest.raises(UnknownNameError, match="no relation 'r9'"):
        relation_matrix(run("cp"), "r9")
    bent = next(name for name, model in MODELS.items() if not issubclass(model, Trilinear))
    graph = make_graph()
    model = MODELS[bent](n_e=graph.n_e, n_r=2 * graph.n_r)
    saved = FinishedRun(None, {}, graph, model, {}, [])
    with pytest.raises(RunError, match="has no matrix for each relation"):
        inspect_relations(saved)
