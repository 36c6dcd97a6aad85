"""What every model must hold to; a model gets these tests by being listed in MODELS."""

from __future__ import annotations

import copy
import inspect
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from tests.conftest import make_graph
from tests.contract.references import REFERENCES
from tests.training.test_losses import plain_loss
from tucker.evaluation import rank
from tucker.graph import Answers
from tucker.models import MODELS, Model
from tucker.training import Trainer, TrainingSettings, loss_slices

GRAPH = make_graph(n_e=13, n_r=3)
N_E, N_R = GRAPH.n_e, 2 * GRAPH.n_r
FACTS = torch.from_numpy(GRAPH.train)
ANSWERS = Answers.of(GRAPH.train, GRAPH.n_e, GRAPH.n_r)


def make(name: str, *, d_e: int = 8, **settings: float) -> Model:
    model = MODELS[name](n_e=N_E, n_r=N_R, d_e=d_e, **settings)
    model.take_facts(FACTS)
    return model


def dropouts_of(name: str) -> dict[str, float]:
    """Leave out every dropout that a model has."""
    return {key: 0.0 for key in inspect.signature(MODELS[name]).parameters if "dropout" in key}


def trainer_of(model: Model, **settings: object) -> Trainer:
    return Trainer(model, ANSWERS, TrainingSettings(**settings), seed=0)


@pytest.fixture(params=MODELS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def model(name: str) -> Model:
    return make(name).eval()


def questions(count: int = 50) -> tuple[Tensor, Tensor]:
    return torch.randint(N_E, (count,)), torch.randint(N_R, (count,))


def test_settings_are_keywords_with_defaults(model: Model) -> None:
    parameters = list(inspect.signature(type(model)).parameters.values())
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters)
    assert [parameter.name for parameter in parameters[:2]] == ["n_e", "n_r"]
    assert all(parameter.default is not parameter.empty for parameter in parameters[2:])


def test_the_docstring_cites_and_the_file_is_short(model: Model) -> None:
    assert "φ(s, r, o) =" in inspect.getdoc(type(model)).splitlines()[0]  # type: ignore[union-attr]
    assert len(Path(inspect.getfile(type(model))).read_text().splitlines()) <= 90


def test_scores_are_the_reference_formula(name: str) -> None:
    model = make(name).double().eval()
    for module in model.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
            module.eps = 0.0
    s, r = questions(20)
    o = torch.randint(N_E, s.shape)
    triples = zip(s.tolist(), r.tolist(), o.tolist(), strict=True)
    expected = torch.stack([REFERENCES[name](model, *triple, FACTS) for triple in triples])
    torch.testing.assert_close(model.score(s, r, o), expected)


def test_a_triples_score_is_an_entry_of_all_objects_scores(model: Model) -> None:
    s, r = questions()
    o = torch.randint(N_E, s.shape)
    every = model.score_objects(s, r)
    assert every.shape == (len(s), N_E)
    torch.testing.assert_close(model.score(s, r, o), every[torch.arange(len(s)), o])


@pytest.mark.parametrize("size", [1, 3, 64])
def test_grouping_changes_no_score(model: Model, size: int) -> None:
    s, r = questions()
    torch.testing.assert_close(model.queries(s, r, size), model.queries(s, r, 2))


def test_a_question_alone_scores_as_among_others(model: Model) -> None:
    s, r = questions(9)
    alone = torch.cat([model.score_objects(s[i : i + 1], r[i : i + 1]) for i in range(9)])
    torch.testing.assert_close(model.score_objects(s, r), alone)


def test_scores_go_into_kept_memory(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    s, r = questions(4)
    out = torch.empty(N_E, 4)
    expected = model.score_objects(s, r)
    monkeypatch.setattr("tucker.models.distance._NUMBERS", 150)  # several slices
    with torch.no_grad():
        scores = model.meet(model.queries(s, r), model.objects(model.entities()), out=out)
    assert scores.data_ptr() == out.data_ptr()
    torch.testing.assert_close(out.T, expected)


def test_gradients_reach_every_parameter(model: Model) -> None:
    model.train()
    model.score_objects(*questions()).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
@pytest.mark.parametrize("candidates", [0, 3])
def test_a_step_has_the_gradients_of_plain_autograd(
    name: str, kind: str, candidates: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the engine does in slices and with products of its own."""
    monkeypatch.setattr("tucker.models.distance._NUMBERS", 16 * 8 * 4)
    monkeypatch.setattr(loss_slices, "_SLICE_LOGITS", 16 * 4)
    monkeypatch.setattr(torch, "get_default_dtype", lambda: torch.double)
    model = make(name, **dropouts_of(name)).double().train()
    plain = copy.deepcopy(model)
    trainer = trainer_of(
        model, loss=kind, label_smoothing=0.1, batch_size=16, candidates=candidates
    )
    batch = next(trainer.batches.epoch(1))
    ids, targets = trainer._candidates.draw(batch.targets)
    if not candidates:
        ids, targets = torch.arange(N_E), batch.targets
    monkeypatch.setattr(trainer._candidates, "draw", lambda targets_of_all: (ids, targets))
    loss = trainer.step(batch)
    assert loss is not None

    scores = plain.score_objects(batch.s, batch.r)[:, ids]
    expected = plain_loss(scores, targets, trainer._loss)
    expected.backward()
    assert loss == pytest.approx(expected.item())
    of_plain = dict(plain.named_parameters())
    for key, parameter in model.named_parameters():
        torch.testing.assert_close(parameter.grad, of_plain[key].grad, msg=key)


@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
def test_a_loss_is_told_where_it_is_looked_at(name: str, kind: str) -> None:
    trainer = trainer_of(make(name).train(), loss=kind, batch_size=16)
    batch = next(trainer.batches.epoch(1))
    assert trainer.step(batch, look=False) is None
    assert trainer.step(batch, look=True) is not None


@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
def test_training_lowers_the_loss(name: str, kind: str) -> None:
    settings = {"batch_size": 16, "epochs": 20, "learning_rate": 0.02}
    journal = trainer_of(make(name, **dropouts_of(name)), loss=kind, **settings).run().journal
    assert journal[-1]["loss"] < 0.97 * journal[0]["loss"]


@pytest.mark.parametrize("name", [name for name, m in MODELS.items() if m.fully_expressive])
def test_what_is_fully_expressive_learns_any_facts(name: str) -> None:
    model = make(name, d_e=32, **dropouts_of(name))
    trainer_of(model, loss="softmax", batch_size=16, epochs=60, learning_rate=0.02).run()
    ranks = rank(model, GRAPH.train, ANSWERS, GRAPH.n_r).ranks()
    assert np.mean(1 / ranks) >= 0.95


def test_outside_training_scores_repeat(model: Model) -> None:
    s, r = questions()
    assert torch.equal(model.score_objects(s, r), model.score_objects(s, r))


def test_saved_weights_give_bit_equal_scores(name: str, model: Model, tmp_path: Path) -> None:
    s, r = questions()
    save_file(model.state_dict(), tmp_path / "model.safetensors")
    torch.manual_seed(7)
    other = make(name).eval()
    assert not torch.equal(other.score_objects(s, r), model.score_objects(s, r))
    other.load_state_dict(load_file(tmp_path / "model.safetensors"))
    assert torch.equal(other.score_objects(s, r), model.score_objects(s, r))


def test_parameters_are_counted_without_making_them(name: str) -> None:
    with torch.device("meta"):
        count = MODELS[name](n_e=N_E, n_r=N_R, d_e=8).count_parameters()
    assert count == sum(math.prod(p.shape) for p in make(name).parameters())
