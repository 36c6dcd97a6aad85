"""The core is updated slice by slice as Adam would update it whole."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tucker.models import DistMult, TuckER
from tucker.models.core import core_gradient
from tucker.training import core_update
from tucker.training.core_update import CoreUpdate

R = torch.tensor([0, 1, 1, 3, 0, 3, 3])


def model_of(blocks: int) -> TuckER:
    torch.manual_seed(0)
    return TuckER(n_e=7, n_r=4, d_e=6, d_r=4, blocks=blocks).double().eval()


def loss_of(operators: Tensor) -> Tensor:
    return (operators.tanh() * torch.arange(6.0, dtype=torch.double)[:, None]).sum()


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize("slices", [1, 4, 6])  # a core has six
def test_slices_are_updated_as_the_whole(blocks: int, slices: int, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    swept, whole = model_of(blocks), model_of(blocks)
    monkeypatch.setattr(core_update, "_NUMBERS", slices * swept.core[0].numel())
    adams = [torch.optim.Adam(model.parameters(), lr=0.1, fused=True) for model in (swept, whole)]
    update = CoreUpdate.of(swept, adams[0])
    assert update
    for _ in range(3):
        for adam in adams:
            adam.zero_grad()
        loss_of(update.relations(R, 2).operators).backward()
        assert swept.core.grad is None
        loss_of(whole.relations(R, 2).operators).backward()
        for adam in adams:
            adam.step()
        update.step()
        for one, other in zip(swept.parameters(), whole.parameters(), strict=True):
            torch.testing.assert_close(one, other)
    states = [adam.state[model.core] for adam, model in zip(adams, (swept, whole), strict=True)]
    for name in ("step", "exp_avg", "exp_avg_sq"):  # so that checkpoints are the same
        torch.testing.assert_close(states[0][name], states[1][name])
        assert states[0][name].dtype == states[1][name].dtype
    assert swept.core.requires_grad


@pytest.mark.parametrize("blocks", [1, 3])
def test_the_gradient_of_some_slices(blocks: int) -> None:
    torch.manual_seed(0)
    model = TuckER(n_e=7, n_r=4, d_e=6, d_r=3, blocks=blocks).double()
    relations = model.relations(R, 2)
    gradient = torch.randn_like(relations.operators)
    (expected,) = torch.autograd.grad(relations.operators, model.core, gradient)
    found = core_gradient(relations.w_r, gradient, blocks, slice(1, 4))
    torch.testing.assert_close(found, expected[1:4])


def test_only_tucker_with_adam_has_one() -> None:
    model = model_of(1)
    assert CoreUpdate.of(model, torch.optim.Adagrad(model.parameters())) is None
    other = DistMult(n_e=7, n_r=4)
    assert CoreUpdate.of(other, torch.optim.Adam(other.parameters())) is None
