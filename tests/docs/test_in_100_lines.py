"""The plain form of TuckER that the manual shows is the engine's: scores, losses, steps and MRR."""

from __future__ import annotations

import contextlib
import io

import pytest
import torch
from safetensors.torch import load_file

import tucker
from tests.docs.pages import ROOT, blocks
from tucker.evaluation import evaluate
from tucker.graph import Answers, load_graph, write_graph
from tucker.models import TuckER
from tucker.training import Trainer, TrainingSettings

PAGE = (ROOT / "docs" / "learn" / "tucker-in-100-lines.md").read_text(encoding="utf-8")
CODE = [block.body for block in blocks(PAGE) if block.language == "python"]
SMALL = {"d_e": 12, "d_r": 5}
LOSSES = {
    "bernoulli": {"loss": "bernoulli", "label_smoothing": 0.1},
    "softmax": {"loss": "softmax", "label_smoothing": 0.1, "answer_weight": 0.5},
}


@pytest.fixture(scope="module")
def graph():
    return load_graph("world")


@pytest.fixture(scope="module")
def plain(graph, tmp_path_factory):
    """The names that the page's code defines; it is not trained."""
    folder = tmp_path_factory.mktemp("plain")
    write_graph(graph, folder / "world")
    names = {"__name__": "the page"}
    code = "".join(CODE[:-1]).partition("torch.manual_seed")[0]
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "the page", "exec"), names)
    return names


@pytest.fixture
def models(graph, plain):
    """The plain model without dropout and ours, with the same weights."""
    torch.manual_seed(0)
    theirs = plain["TuckER"](graph.n_e, 2 * graph.n_r, **SMALL, dropouts=(0, 0, 0))
    dropouts = {f"dropout_{place}": 0.0 for place in ("subject", "relation", "query")}
    ours = TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, **SMALL, **dropouts)
    ours.load_state_dict(theirs.state_dict())
    return theirs, ours


def trainer_of(model, graph, loss):
    settings = TrainingSettings(**LOSSES[loss], batch_size=128, learning_rate=0.01)
    return Trainer(model, Answers.of(graph.train, graph.n_e, graph.n_r), settings, seed=0)


def test_the_page_keeps_its_word():
    lines = [line for line in "".join(CODE).splitlines() if line.strip()]
    assert 80 <= len(lines) <= 115
    assert "import tucker" not in "".join(CODE)


def test_the_graph_is_numbered_alike(graph, plain):
    assert plain["entities"] == graph.entities.names.to_list()
    assert plain["relations"] == graph.relations.names.to_list()
    assert len(plain["train"]) == 2 * len(graph.train)


def test_scores_are_ours(plain, models):
    theirs, ours = (model.eval() for model in models)
    s, r, _ = plain["test"].T
    torch.testing.assert_close(theirs(s, r), ours.score_objects(s, r))


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_gradients_and_a_step_are_ours(loss, graph, plain, models):
    theirs, ours = models
    trainer = trainer_of(ours, graph, loss)
    batch = next(trainer.batches.epoch(1))
    place = {pair: number for number, pair in enumerate(plain["known"])}
    rows = zip(batch.s.tolist(), batch.r.tolist(), strict=True)
    same = torch.tensor([place[pair] for pair in rows])

    ours.train()
    optimiser = torch.optim.Adam(theirs.parameters(), lr=0.01)
    value = plain["step"](theirs, optimiser, plain[loss], same)
    assert trainer.step(batch) == pytest.approx(value, rel=1e-5)
    for (name, weights), plainly in zip(ours.named_parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(weights.grad, plainly.grad, rtol=1e-3, atol=1e-7, msg=name)
    torch.testing.assert_close(ours.state_dict(), theirs.state_dict(), rtol=1e-3, atol=1e-4)


def test_the_mrr_is_ours(graph, plain, models):
    theirs, ours = models
    known = plain["answers"](plain["train"], plain["valid"], plain["test"])
    mrr = evaluate(ours.eval(), graph, "test").mrr
    assert plain["mrr"](theirs, plain["test"], known) == pytest.approx(mrr, rel=1e-6)


def test_a_run_loads_into_the_plain_model(tmp_path, plain, graph):
    run = tucker.train(graph, **SMALL, epochs=1, out=tmp_path / "run", progress=False)
    same = plain["TuckER"](graph.n_e, 2 * graph.n_r, **SMALL)
    same.load_state_dict(load_file(tmp_path / "run" / "model.safetensors"))
    known = plain["answers"](plain["train"], plain["valid"], plain["test"])
    assert plain["mrr"](same, plain["test"], known) == pytest.approx(run.evaluate().mrr, rel=1e-5)
