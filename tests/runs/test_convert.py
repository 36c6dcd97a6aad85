"""A run turned into a TuckER: the same answers, and nothing else of it lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.runs.test_chance_curves import make_calibration
from tucker.errors import RunError
from tucker.graph import Graph
from tucker.mixture import build_model
from tucker.models import MODELS, Groups, Model, Trilinear
from tucker.prediction import predict
from tucker.runs import FinishedRun, as_tucker, load_run, save_run
from tucker.runs.convert import largest_difference

LINEAR = [name for name, model in MODELS.items() if issubclass(model, Trilinear)]


def run(graph: Graph, name: str, **settings: Any) -> FinishedRun:
    config = {
        "graph": "drawn",
        "model": {"name": name, "d_e": 8, **settings},
        "training": {"loss": "softmax"},
        "about": {"remark": "kept"},
    }
    model = build_model(config, graph)
    model.queries(torch.arange(graph.n_e), torch.arange(graph.n_e) % graph.n_r)  # moves the norms
    metrics, journal = {"valid": {"mrr": 0.5}}, [{"epoch": 1}]
    return FinishedRun(None, config, graph, model.eval(), metrics, journal)


@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("name", [name for name in LINEAR if name != "tucker"])
def test_a_converted_run_is_a_run_of_equal_scores(
    graph: Graph, tmp_path: Path, name: str, batch_norm: bool
) -> None:
    before = run(graph, name, batch_norm=batch_norm, dropout_query=0.25)
    after = as_tucker(before)
    loaded = load_run(save_run(after, tmp_path / "new").path)
    assert largest_difference(before.model, loaded.model) < 1e-5
    s, r = torch.arange(graph.n_e).repeat(2 * graph.n_r), torch.arange(2 * graph.n_r)
    r = r.repeat_interleave(graph.n_e)
    ranks = [m.score_objects(s, r).argsort(1).argsort(1) for m in (before.model, loaded.model)]
    assert torch.equal(*ranks)
    assert loaded.config["model"] == {
        "name": "tucker",
        "d_e": 8,
        "d_r": {"rescal": 2 * graph.n_r, "cp": 4}.get(name, 8),
        "dropout_subject": 0.0,
        "dropout_relation": 0.0,
        "dropout_query": 0.25,
        "batch_norm": batch_norm,
    }
    assert loaded.config["about"] == {"remark": "kept", "converted_from": before.config["model"]}
    assert loaded.config["training"] == before.config["training"]
    assert (loaded.metrics, loaded.journal) == (before.metrics, before.journal)


def test_a_calibration_holds_for_equal_scores(graph: Graph, tmp_path: Path) -> None:
    before = replace(run(graph, "complex"), calibration=make_calibration())
    loaded = load_run(save_run(as_tucker(before), tmp_path / "new").path)
    assert loaded.calibration is not None
    question = {"subject": "e3", "relation": "r1", "k": 5}
    said, kept = (predict(one, **question) for one in (before, loaded))
    assert [one.object for one in said] == [one.object for one in kept]
    wanted = [one.probability for one in said]
    assert [one.probability for one in kept] == pytest.approx(wanted, abs=1e-5)


def test_what_cannot_be_a_tucker_is_refused(graph: Graph) -> None:
    class Bent(Model):
        def __init__(self) -> None:
            super().__init__(n_e=graph.n_e, n_r=2 * graph.n_r)
            self.E = self.R = torch.nn.Parameter(torch.ones(graph.n_e, 2))

        def query(self, e_s: torch.Tensor, w_r: torch.Tensor, groups: Groups) -> torch.Tensor:
            return e_s.tanh()

    with pytest.raises(RunError, match="Bent is not linear in its embeddings"):
        as_tucker(FinishedRun(None, {}, graph, Bent(), {}, []))
    with pytest.raises(RunError, match="TuckER is one already"):
        as_tucker(run(graph, "tucker"))


def test_a_core_too_large_is_said_to_be(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Trilinear) -> None:
        raise RuntimeError("not enough memory")

    monkeypatch.setattr(Trilinear, "as_tucker", full)
    with pytest.raises(RunError, match="DistMult with d_e = 8 does not fit into memory"):
        as_tucker(run(graph, "distmult"))


def test_a_difference_is_found(graph: Graph) -> None:
    one, other = run(graph, "complex").model, run(graph, "complex").model
    assert largest_difference(one, one) == 0
    assert largest_difference(one, other) > 0.1
