"""The fused losses against plain autograd in double precision."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.training import loss_slices, losses
from tucker.training.buffers import Buffers
from tucker.training.losses import Loss, Targets

QUERIES, D = 9, 6


def plain(q: Tensor, E: Tensor, targets: Targets, loss: Loss) -> Tensor:
    return plain_loss(q @ E.T, targets, loss)


def plain_loss(z: Tensor, targets: Targets, loss: Loss) -> Tensor:
    """The loss from all scores, (queries, n_e), and a dense label matrix."""
    n_e = z.shape[1]
    y = torch.zeros_like(z)
    y[targets.rows, targets.objects] = 1
    if loss.kind == "softmax":
        y = (1 - loss.smoothing) * y / y.sum(1, keepdim=True) + loss.smoothing / n_e
        each = -(y * F.log_softmax(z, dim=1)).sum(1)
    else:
        if loss.smoothing:
            added = 1 if loss.convention == "authors" else loss.smoothing
            y = (1 - loss.smoothing) * y + added / n_e
        each = F.binary_cross_entropy_with_logits(z, y, reduction="none").mean(1)
    return (targets.weights * each).sum()


def drawn(n_e: int, scale: float = 1.0) -> tuple[Tensor, Tensor, Targets]:
    q = (scale * torch.randn(QUERIES, D, dtype=torch.double)).requires_grad_()
    E = torch.randn(n_e, D, dtype=torch.double).requires_grad_()
    answers = torch.rand(QUERIES, n_e) < 0.1
    answers[:, 3] = True  # at least one answer each
    rows, objects = answers.nonzero(as_tuple=True)
    weights, counts = torch.rand(QUERIES), torch.ones(len(rows))
    return q, E, Targets(rows, objects, weights.double(), counts.double())


@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
@pytest.mark.parametrize("convention", ["authors", "textbook"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("n_e", [7, 250])  # less than a slice, and several
def test_values_and_gradients(kind, convention, smoothing, n_e, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(loss_slices, "_SLICE_LOGITS", 100 * QUERIES)
    loss = Loss(kind, smoothing, convention)
    q, E, targets = drawn(n_e)
    expected = plain(q, E, targets, loss)
    expected_q, expected_E = torch.autograd.grad(expected, (q, E))
    grad_E = torch.full_like(E, torch.nan)  # it must be overwritten
    value, grad_q = loss(q.detach(), E.detach(), targets, grad_E, Buffers())
    torch.testing.assert_close(value, expected.detach())
    torch.testing.assert_close(grad_q, expected_q)
    torch.testing.assert_close(grad_E, expected_E)
    unlooked_E = torch.full_like(E, torch.nan)
    unlooked = loss(q.detach(), E.detach(), targets, unlooked_E, Buffers(), value=False)
    assert unlooked[0] is None
    assert torch.equal(unlooked[1], grad_q)
    assert torch.equal(unlooked_E, grad_E)


@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
@pytest.mark.parametrize("n_e", [10, 20, 100])  # less than a slice, less than one a thread, more
@pytest.mark.parametrize("queries", [QUERIES, 4])  # of the softmax at a time
def test_threads_share_it_out(kind, n_e, queries, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(loss_slices, "_SLICE_LOGITS", 11 * QUERIES)
    monkeypatch.setattr(losses, "_LARGEST_LOGITS", queries * n_e)
    loss = Loss(kind, 0.1)
    q, E, targets = drawn(n_e, scale=3.0)
    expected = plain(q, E, targets, loss)
    expected_q, expected_E = torch.autograd.grad(expected, (q, E))
    buffers = Buffers()
    for _ in range(3):
        grad_E = torch.full_like(E, torch.nan)
        value, grad_q = loss(q.detach(), E.detach(), targets, grad_E, buffers)
        torch.testing.assert_close(value, expected.detach())
        torch.testing.assert_close(grad_q, expected_q)
        torch.testing.assert_close(grad_E, expected_E)


@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
def test_products_of_bfloat16_are_close(kind, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(loss_slices, "_SLICE_LOGITS", 100 * QUERIES)
    q, E, targets = drawn(250)
    whole, rounded = (
        (loss(q.detach(), E.detach(), targets, grad_E, Buffers()), grad_E)
        for loss, grad_E in (
            (Loss(kind, 0.1), torch.empty_like(E)),
            (Loss(kind, 0.1, products=torch.bfloat16), torch.empty_like(E)),
        )
    )
    (value, grad_q), grad_E = whole
    (near, near_q), near_E = rounded
    assert near_q.dtype == near_E.dtype == torch.double
    torch.testing.assert_close(near, value, rtol=1e-2, atol=0)
    for one, other in ((near_q, grad_q), (near_E, grad_E)):
        assert torch.linalg.norm(one - other) < 0.02 * torch.linalg.norm(other)


def test_answers_stay_exact_beside_products_of_bfloat16():
    q, E, targets = drawn(250, scale=1e-3)  # nothing is learned yet: answers are all that counts
    whole_E, near_E = torch.empty_like(E), torch.empty_like(E)
    whole = Loss("softmax")(q.detach(), E.detach(), targets, whole_E, Buffers())
    rounded = Loss("softmax", products=torch.bfloat16)
    near = rounded(q.detach(), E.detach(), targets, near_E, Buffers())
    for one, other in ((near[1], whole[1]), (near_E, whole_E)):
        assert torch.linalg.norm(one - other) < 1.5e-3 * torch.linalg.norm(other)


@pytest.mark.parametrize("products", [None, torch.float])
def test_softmax_in_parts_is_the_softmax_whole(products, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    loss = Loss("softmax", 0.1, products=products)
    q, E, targets = drawn(50)
    whole_E, part_E = torch.empty_like(E), torch.empty_like(E)
    whole = loss(q.detach(), E.detach(), targets, whole_E, Buffers())
    monkeypatch.setattr(losses, "_LARGEST_LOGITS", 4 * 50)  # four queries at a time
    part = loss(q.detach(), E.detach(), targets, part_E, Buffers())
    for one, other in zip((*whole, whole_E), (*part, part_E), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("kind", ["bernoulli", "softmax"])
def test_large_logits_overflow_nothing(kind) -> None:  # type: ignore[no-untyped-def]
    q, E, targets = drawn(30, scale=300.0)
    grad_E = torch.empty_like(E)
    value, grad_q = Loss(kind)(q.detach(), E.detach(), targets, grad_E, Buffers())
    torch.testing.assert_close(value, plain(q, E, targets, Loss(kind)).detach())
    assert torch.isfinite(grad_q).all()
    assert torch.isfinite(grad_E).all()


@pytest.mark.parametrize("evenly", [True, False])
def test_weighting_by_answers_is_one_answer_at_a_time(evenly: bool) -> None:
    """Σ over answers of −w log softmax, as 1vsAll trains, from one row a pair."""
    q, E, targets = drawn(20)
    counts = targets.counts if evenly else torch.rand_like(targets.counts) + 0.1
    by_answer = counts @ F.cross_entropy((q @ E.T)[targets.rows], targets.objects, reduction="none")
    weighted = replace(targets, weights=torch.bincount(targets.rows, counts), counts=counts)
    value, grad_q = Loss("softmax")(
        q.detach(), E.detach(), weighted, torch.empty_like(E), Buffers()
    )
    torch.testing.assert_close(value, by_answer.detach())
    torch.testing.assert_close(grad_q, torch.autograd.grad(by_answer, q)[0])


def test_buffers_are_used_again() -> None:
    buffers = Buffers()
    like = torch.empty(0)
    first = buffers.take("logits", 4, 5, like=like)
    assert buffers.take("logits", 2, 3, like=like).data_ptr() == first.data_ptr()
    assert buffers.take("other", 2, 3, like=like).data_ptr() != first.data_ptr()
    assert buffers.take("logits", 40, 50, like=like).shape == (40, 50)
