"""Losses over all entities for any meeting of queries and objects, one slice at a time.

What the fused losses (`losses.py`) do with products, this does with autograd: each slice of objects
is scored, and its gradients taken, before the next. So nothing of (queries, entities, d) is ever
held, whatever numbers a meeting needs in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.models.distance import slices
from tucker.training.losses import Loss, Targets

Meet = Callable[[Tensor, Tensor], Tensor]


def slicewise(
    meet: Meet, q: Tensor, objects: Tensor, targets: Targets, loss: Loss, grad_objects: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the loss and its gradient by `q`; overwrite `grad_objects` with that by `objects`.

    Parameters that the meeting itself has get their gradients as well.
    """
    q = q.detach().requires_grad_()
    softmax = loss.kind == "softmax"
    weights = targets.weights if softmax else targets.weights / len(objects)
    normaliser = _log_sum_exp(meet, q, objects) if softmax else None  # (queries,)
    total = q.new_zeros(()) if normaliser is None else normaliser @ weights
    for piece, y in _labelled_slices(q, objects, targets, loss):
        some = objects[piece].detach().requires_grad_()
        with torch.enable_grad():
            scores = meet(q, some)  # (slice, queries)
        z = scores.detach()
        p = torch.sigmoid(z) if normaliser is None else torch.exp(z - normaliser)
        scores.backward((p - y) * weights)  # type: ignore[no-untyped-call]
        assert some.grad is not None
        grad_objects[piece] = some.grad
        total -= (y * z).sum(0) @ weights
        if not softmax:
            total += F.softplus(z).sum(0) @ weights
    assert q.grad is not None
    return total, q.grad


@torch.no_grad()
def _log_sum_exp(meet: Meet, q: Tensor, objects: Tensor) -> Tensor:
    """Return log Σ exp(score) over all objects, (queries,)."""
    parts = [meet(q, objects[piece]).logsumexp(0) for piece in slices(q, objects)]
    return torch.stack(parts).logsumexp(0)


def _labelled_slices(
    q: Tensor, objects: Tensor, targets: Targets, loss: Loss
) -> Iterator[tuple[slice, Tensor]]:
    """Yield each slice of objects with its labels, (slice, queries)."""
    labels = q.new_full((len(targets.rows),), 1 - loss.smoothing)
    if loss.kind == "softmax":  # a query's answers share it
        labels *= targets.shares()
    order = torch.argsort(targets.objects)
    answer, row, label = targets.objects[order], targets.rows[order], labels[order]
    for piece in slices(q, objects):
        y = q.new_full((len(objects[piece]), len(q)), loss.floor(len(objects)))
        first, last = torch.searchsorted(answer, torch.tensor([piece.start, piece.stop])).tolist()
        here = slice(first, last)
        y.index_put_((answer[here] - piece.start, row[here]), label[here], accumulate=True)
        yield piece, y
