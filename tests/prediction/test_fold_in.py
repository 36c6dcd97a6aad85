from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.conftest import make_graph
from tucker.errors import RunError, TuckerError, UnknownNameError
from tucker.mixture import build_model
from tucker.models import MODELS
from tucker.prediction.fold_in import fold_in
from tucker.runs import FinishedRun

FACTS = [("new", "r0", "e1"), ("e2", "r1", "new"), ("newer", "r0", "new"), ("e1", "r0", "e1")]


def make_run(model: str = "tucker", loss: str = "bernoulli") -> FinishedRun:
    torch.manual_seed(0)
    graph = make_graph()
    sizes = {"d_e": 12} | ({"layers": 1} if model == "rgcn" else {})
    config = {"model": {"name": model, **sizes}, "training": {"loss": loss}}
    built = build_model(config, graph).eval()
    with torch.no_grad():  # as wide as trained ones
        for embeddings in (built.E, built.R):
            embeddings.normal_(std=0.5)
    return FinishedRun(None, config, graph, built, {}, [])


@pytest.mark.parametrize("loss", ["bernoulli", "softmax"])
@pytest.mark.parametrize("model", [name for name in MODELS if name != "rgcn"])
def test_new_names_come_last_and_nothing_else_changes(model, loss):
    run = make_run(model, loss)
    before = {name: value.clone() for name, value in run.model.state_dict().items()}
    folded = fold_in(run, FACTS)
    assert folded.graph.entities.names.to_list() == [f"e{i}" for i in range(12)] + ["new", "newer"]
    ids = folded.graph.train[len(run.graph.train) :].tolist()
    assert ids[-3:] == [[2, 1, 12], [12, 0, 1], [13, 0, 12]]
    for name, value in folded.model.state_dict().items():
        assert torch.isfinite(value).all()
        assert value[: len(before[name])].equal(before[name]) if value.dim() else True
        assert run.model.state_dict()[name].equal(before[name])
    assert not folded.model.E[12].equal(folded.model.E[13])


@torch.no_grad()
def standing(model) -> float:
    """Say how far the facts of entity 12 stand above other answers to the same questions."""
    above = []
    for s, r, o in [(12, 0, 1), (2, 1, 12), (1, 3, 12), (12, 4, 2)]:
        scores = model.score_objects(torch.tensor([s]), torch.tensor([r]))[0]
        above.append(float(scores[o] - scores.mean()))
    return sum(above)


@pytest.mark.parametrize("loss", ["bernoulli", "softmax"])
def test_own_facts_stand_higher_than_those_of_a_mean_entity(loss):
    run = make_run("distmult", loss)
    folded = fold_in(run, FACTS[:2]).model
    found = standing(folded)
    with torch.no_grad():
        folded.E[12] = folded.E[:12].mean(0)
    assert found > standing(folded)


def test_known_facts_are_not_added_again():
    run = make_run()
    graph = run.graph
    s, r, o = graph.valid[0].tolist()
    folded = fold_in(run, [(f"e{s}", f"r{r}", f"e{o}")])
    assert np.array_equal(folded.graph.train, graph.train)
    assert folded.model.E.equal(run.model.E)


def test_what_cannot_be_folded_in_is_refused():
    with pytest.raises(UnknownNameError, match="no relation 'r9'"):
        fold_in(make_run(), [("new", "r9", "e1")])
    with pytest.raises(TuckerError, match="no fact joins the new entity 'a'"):
        fold_in(make_run(), [("a", "r0", "b"), *FACTS])
    with pytest.raises(RunError, match="RGCN cannot fold in new entities"):
        fold_in(make_run("rgcn"), FACTS)
    assert fold_in(make_run("rgcn"), FACTS[3:]).graph.n_e == 12
