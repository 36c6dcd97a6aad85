"""What every model must hold to; a model gets these tests by being listed in MODELS."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from tucker.models import MODELS, Model

N_E, N_R = 13, 6


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Model:
    return MODELS[request.param](n_e=N_E, n_r=N_R, d_e=8).eval()


def questions(count: int = 50) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randint(N_E, (count,)), torch.randint(N_R, (count,))


def test_settings_are_keywords_with_defaults(model: Model) -> None:
    parameters = list(inspect.signature(type(model)).parameters.values())
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters)
    assert [parameter.name for parameter in parameters[:2]] == ["n_e", "n_r"]
    assert all(parameter.default is not parameter.empty for parameter in parameters[2:])


def test_the_docstring_cites_and_the_file_is_short(model: Model) -> None:
    assert "φ(s, r, o) =" in inspect.getdoc(type(model)).splitlines()[0]  # type: ignore[union-attr]
    assert len(Path(inspect.getfile(type(model))).read_text().splitlines()) <= 90


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


def test_scores_go_into_kept_memory(model: Model) -> None:
    s, r = questions(4)
    out = torch.empty(N_E, 4)
    with torch.no_grad():
        assert model.meet(model.queries(s, r), out=out).data_ptr() == out.data_ptr()
        torch.testing.assert_close(out.T, model.score_objects(s, r))


def test_gradients_reach_every_parameter(model: Model) -> None:
    model.train()
    model.score_objects(*questions()).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_outside_training_scores_repeat(model: Model) -> None:
    s, r = questions()
    assert torch.equal(model.score_objects(s, r), model.score_objects(s, r))


def test_saved_weights_give_bit_equal_scores(model: Model, tmp_path: Path) -> None:
    s, r = questions()
    save_file(model.state_dict(), tmp_path / "model.safetensors")
    torch.manual_seed(7)
    other = type(model)(n_e=N_E, n_r=N_R, d_e=8).eval()
    assert not torch.equal(other.score_objects(s, r), model.score_objects(s, r))
    other.load_state_dict(load_file(tmp_path / "model.safetensors"))
    assert torch.equal(other.score_objects(s, r), model.score_objects(s, r))
