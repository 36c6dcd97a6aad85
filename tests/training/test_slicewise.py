"""Losses by slices and autograd against the same losses whole, in double precision."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.training.test_losses import drawn, plain_loss
from tucker.models import MODELS, distance
from tucker.models.distance import Distance
from tucker.training.losses import Loss, Targets
from tucker.training.slicewise import slicewise


def near(q: Tensor, objects: Tensor) -> Tensor:
    """A meeting that is no product: minus the squared distance."""
    return -(q[None] - objects[:, None]).square().sum(-1)


@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
@pytest.mark.parametrize("convention", ["authors", "textbook"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("n_e", [7, 50])  # less than a slice, and several
def test_values_and_gradients(kind, convention, smoothing, n_e, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    q, E, targets = drawn(n_e)
    monkeypatch.setattr(distance, "_NUMBERS", 8 * q.numel())
    loss = Loss(kind, smoothing, convention)
    expected = plain_loss(near(q, E).T, targets, loss)
    expected_q, expected_E = torch.autograd.grad(expected, (q, E))
    grad_E = torch.full_like(E, torch.nan)  # it must be overwritten
    value, grad_q = slicewise(near, q.detach(), E.detach(), targets, loss, grad_E)
    torch.testing.assert_close(value, expected.detach())
    torch.testing.assert_close(grad_q, expected_q)
    torch.testing.assert_close(grad_E, expected_E)


def test_answers_of_a_query_may_count_unlike() -> None:
    q, E, targets = drawn(50)
    counts = torch.rand_like(targets.counts) + 0.1
    expected = counts @ F.cross_entropy(
        near(q, E).T[targets.rows], targets.objects, reduction="none"
    )
    expected_q, expected_E = torch.autograd.grad(expected, (q, E))
    unlike = replace(targets, weights=torch.bincount(targets.rows, counts), counts=counts)
    grad_E = torch.empty_like(E)
    value, grad_q = slicewise(near, q.detach(), E.detach(), unlike, Loss("softmax"), grad_E)
    torch.testing.assert_close(value, expected.detach())
    torch.testing.assert_close(grad_q, expected_q)
    torch.testing.assert_close(grad_E, expected_E)


@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
def test_far_objects_overflow_nothing(kind) -> None:  # type: ignore[no-untyped-def]
    q, E, targets = drawn(30, scale=300.0)
    loss, grad_E = Loss(kind), torch.empty_like(E)
    value, grad_q = slicewise(near, q.detach(), E.detach(), targets, loss, grad_E)
    torch.testing.assert_close(value, plain_loss(near(q, E).T, targets, loss).detach())
    assert torch.isfinite(grad_q).all()
    assert torch.isfinite(grad_E).all()


def test_parameters_of_the_meeting_learn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    q, E, targets = drawn(50)
    monkeypatch.setattr(distance, "_NUMBERS", 8 * q.numel())
    scale = nn.Parameter(torch.tensor(0.3).double())
    expected = plain_loss(scale * near(q, E).T, targets, Loss())
    (expected_scale,) = torch.autograd.grad(expected, scale)
    slicewise(
        lambda q, objects: scale * near(q, objects),
        q.detach(), E.detach(), targets, Loss(), torch.empty_like(E),
    )  # fmt: skip
    torch.testing.assert_close(scale.grad, expected_scale)


@pytest.mark.parametrize("name", [n for n, m in MODELS.items() if issubclass(m, Distance)])
@pytest.mark.parametrize("training", [True, False])
def test_no_meeting_is_larger_than_a_block(name: str, training: bool) -> None:
    model = MODELS[name](n_e=3_000, n_r=2, d_e=50)
    largest, distance = 0, model.distance  # type: ignore[operator]

    def watched(q: Tensor, e_o: Tensor) -> Tensor:
        nonlocal largest
        largest = max(largest, q.numel() * len(e_o))
        return distance(q, e_o)

    model.distance = watched  # type: ignore[assignment, method-assign]
    s = torch.arange(100)
    q = model.queries(s, s % 2).detach()
    if training:
        targets = Targets(s, s, torch.full((100,), 0.01), torch.ones(100))
        slicewise(model.meet, q, model.E, targets, Loss("softmax"), torch.empty_like(model.E))
    else:
        with torch.no_grad():
            assert model.meet(q, model.E, out=torch.empty(3_000, 100)).isfinite().all()
    assert 0 < largest <= 1 << 20
