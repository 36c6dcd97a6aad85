"""ConvE and HypER beyond the shared suite: any size, and the bias of objects."""

from __future__ import annotations

import pytest
import torch

from tucker.models.conve import ConvE
from tucker.models.hyper import HypER

S, R = torch.arange(9), torch.arange(9) % 4


@pytest.mark.parametrize("model", [ConvE, HypER])
@pytest.mark.parametrize("d_e", [1, 2, 7, 12, 200])
def test_every_size_has_its_rectangle_and_its_windows(model, d_e) -> None:  # type: ignore[no-untyped-def]
    scores = model(n_e=9, n_r=4, d_e=d_e, filters=3).score_objects(S, R)
    assert scores.shape == (9, 9)
    assert torch.isfinite(scores).all()


def test_the_rectangle_of_the_authors() -> None:
    model = ConvE(n_e=9, n_r=4)
    assert model.height == 10
    assert model.project.in_features == 32 * 18 * 18  # 3 × 3 filters on 20 × 20


@pytest.mark.parametrize("model", [ConvE, HypER])
def test_a_bias_lifts_its_object_alone(model) -> None:  # type: ignore[no-untyped-def]
    model = model(n_e=9, n_r=4, d_e=12).eval()
    before = model.score_objects(S, R)
    with torch.no_grad():
        model.bias[5] += 2
    lift = torch.zeros(9)
    lift[5] = 2
    torch.testing.assert_close(model.score_objects(S, R) - before, lift.expand(9, 9))


@pytest.mark.parametrize("model", [ConvE, HypER])
def test_dropout_acts_in_training_alone(model) -> None:  # type: ignore[no-untyped-def]
    model = model(n_e=9, n_r=4, d_e=12)
    assert not torch.equal(model.score_objects(S, R), model.score_objects(S, R))
    model.eval()
    assert torch.equal(model.score_objects(S, R), model.score_objects(S, R))
