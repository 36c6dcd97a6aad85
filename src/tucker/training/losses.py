"""Losses over all entities, fused: their values and gradients from sparse answers.

With logits Z = E Qᵀ, the gradient with respect to Z is σ(Z) − Y (Bernoulli) or softmax(Z) − Y, so
two more products give those of Q and E. Z is worked through in slices of entities that stay in the
cache, the dense label matrix Y is never built: its answers are subtracted at their places, and its
constant part (label smoothing) has rank one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.training.buffers import Buffers
from tucker.training.loss_slices import EntitySlice, Labels, in_slices
from tucker.workers import share

_LARGEST_LOGITS = 1 << 26  # numbers kept by the softmax at once: 256 MiB


@dataclass(frozen=True, eq=False)
class Targets:
    """The answers of a batch of queries, flat, and how much each query counts."""

    rows: Tensor  # (answers,) the query of each answer
    objects: Tensor  # (answers,) the entity that answers it
    weights: Tensor  # (queries,) adding up to about 1
    counts: Tensor  # (answers,) how much each counts within its query

    def shares(self) -> Tensor:
        """Return how the answers of a query share it, (answers,): they add up to 1."""
        of_query = torch.zeros_like(self.weights).index_add_(0, self.rows, self.counts)
        return self.counts / of_query[self.rows]


@dataclass(frozen=True)
class Loss:
    """A loss over all entities: which likelihood, and how its labels are smoothed.

    `smoothing` ε turns labels y into (1 − ε) y + ε / n_e ("textbook") or, as the TuckER authors'
    code has it, (1 − ε) y + 1 / n_e ("authors"; only for the Bernoulli loss, and only if ε > 0).
    """

    kind: Literal["bernoulli", "softmax"] = "bernoulli"
    smoothing: float = 0.0
    convention: Literal["authors", "textbook"] = "authors"
    products: torch.dtype | None = None  # of their factors and logits; None: as they come

    @torch.no_grad()
    def __call__(
        self,
        q: Tensor,
        E: Tensor,
        targets: Targets,
        grad_E: Tensor,
        buffers: Buffers,
        *,
        value: bool = True,
    ) -> tuple[Tensor | None, Tensor]:
        """Return the loss and its gradient by `q`; overwrite `grad_E` with that by E.

        The value alone costs the Bernoulli loss a tenth of its time: leave it out where nobody
        looks.
        """
        of_kind = bernoulli if self.kind == "bernoulli" else softmax
        return of_kind(q, E, targets, self, grad_E, buffers, value=value)

    @property
    def exact(self) -> bool:
        """Whether logits are as fine as the weights."""
        return self.products is None

    def factor(self, x: Tensor) -> Tensor:
        """Return one side of a large product in the type that it is formed in."""
        return x if self.products is None else x.to(self.products)

    def floor(self, n_e: int) -> float:
        """Return the label of an entity that is no answer."""
        if self.smoothing and self.kind == "bernoulli" and self.convention == "authors":
            return 1 / n_e
        return self.smoothing / n_e


def bernoulli(
    q: Tensor,
    E: Tensor,
    targets: Targets,
    loss: Loss,
    grad_E: Tensor,
    buffers: Buffers,
    *,
    value: bool = True,
) -> tuple[Tensor | None, Tensor]:
    """Mean over entities of −(y log p + (1 − y) log(1 − p)), p = σ(z): the paper's loss."""
    weights = targets.weights / len(E)
    columns = _columns(loss.factor(q))
    # Weights enter through Q: no pass over the logits.
    weighted = loss.factor(q * weights[:, None])
    floor = loss.floor(len(E))
    bare = Labels(
        targets.rows, targets.objects, torch.full_like(targets.counts, 1 - loss.smoothing)
    )
    labels = replace(bare, values=bare.values * weights[targets.rows])
    slices = in_slices(loss.factor(E), grad_E, len(q), bare if loss.exact else bare.none())

    def of_slices(worker: int, slices: Sequence[EntitySlice]) -> tuple[Tensor, Tensor]:
        total, grad_q = q.new_zeros(()), q.new_zeros(q.T.shape)
        longest = max(len(piece.E) for piece in slices)
        logits = buffers.take(f"logits of {worker}", longest, len(q), like=columns)
        for piece in slices:
            z = torch.mm(piece.E, columns, out=logits[: len(piece.E)])  # (slice, queries)
            if value:
                total += F.softplus(z).sum(0, dtype=q.dtype) @ weights
            piece.take_labels_from(z.sigmoid_().sub_(floor))
            _product(z, weighted, out=piece.gradient)
            _product(piece.E.T, z, out=grad_q, add=True)
        return total, grad_q

    total, grad_q = map(_sum, zip(*share(of_slices, slices), strict=True))
    grad_q = grad_q.T * weights[:, None]
    if not loss.exact:
        _subtract_rows(q, E, labels, grad_q, grad_E)
    if not value:
        return None, grad_q
    return total - _labelled(q, E, labels) - floor * (E.sum(0) @ (weights @ q)), grad_q


def softmax(
    q: Tensor,
    E: Tensor,
    targets: Targets,
    loss: Loss,
    grad_E: Tensor,
    buffers: Buffers,
    *,
    value: bool = True,
) -> tuple[Tensor | None, Tensor]:
    """Cross entropy of the softmax over all entities and a query's answers, which share it.

    A query weighted by the sum of their counts has the gradient of its answers one by one (1vsAll).
    """
    values = (1 - loss.smoothing) * targets.weights[targets.rows] * targets.shares()
    labels = Labels(targets.rows, targets.objects, values)
    factors_E = loss.factor(E)
    grad_q, total = torch.empty_like(q), q.new_zeros(())
    queries = max(1, _LARGEST_LOGITS // len(E))
    for start in range(0, len(q), queries):
        some = slice(start, min(start + queries, len(q)))
        p = buffers.take("probabilities", len(E), some.stop - start, like=factors_E)
        here = labels.of_rows(some) if loss.exact else labels.none()
        slices = in_slices(factors_E, grad_E, p.shape[1], here)
        of_some, grad_q[some] = _softmax_part(
            q[some], targets.weights[some], loss, slices, p, add=start > 0
        )
        total += of_some
    if not loss.exact:
        _subtract_rows(q, E, labels, grad_q, grad_E)
    total -= _subtract_floor(q, E, targets.weights * loss.floor(len(E)), grad_q, grad_E)
    if not value:
        return None, grad_q
    return total - _labelled(q, E, labels), grad_q


def _softmax_part(
    q: Tensor, weights: Tensor, loss: Loss, slices: list[EntitySlice], p: Tensor, *, add: bool
) -> tuple[Tensor, Tensor]:
    """Return w · log Σ exp(z) of some queries and its gradient by them, labels subtracted.

    That by E is written, or added. Each slice of p is first exp(z − m), m being its own largest
    logits; what it lacks to the softmax, one factor a query, is known when all of them are done.
    """
    columns = _columns(loss.factor(q))
    of_p = torch.split_with_sizes(p, [len(piece.E) for piece in slices])

    def exponentials(
        _: int, slices: Sequence[tuple[EntitySlice, Tensor]]
    ) -> list[tuple[Tensor, Tensor]]:
        largest_and_total = []
        for piece, into in slices:
            z = torch.mm(piece.E, columns, out=into)  # (slice, queries)
            m = z.amax(0)
            largest_and_total.append((m, z.sub_(m).exp_().sum(0, dtype=q.dtype)))
        return largest_and_total

    done = share(exponentials, list(zip(slices, of_p, strict=True)))
    of_slices = zip(*chain.from_iterable(done), strict=True)
    m, totals = (torch.stack(parts).to(q.dtype) for parts in of_slices)  # (slices, queries)
    largest = m.amax(0)
    corrections = torch.exp(m - largest)
    total = (totals * corrections).sum(0)  # (queries,)
    factors = weights * corrections / total  # (slices, queries)

    def gradients(_: int, slices: Sequence[tuple[EntitySlice, Tensor, Tensor]]) -> Tensor:
        grad_q = q.new_zeros(q.T.shape)
        for piece, part, factor in slices:
            if loss.exact:
                piece.take_labels_from(part.mul_(factor))
                _product(part, q, out=piece.gradient, add=add)
                _product(piece.E.T, part, out=grad_q, add=True)
            else:  # coarse numbers are not rounded once more
                _product(part, loss.factor(q * factor[:, None]), out=piece.gradient, add=add)
                grad_q.addcmul_((piece.E.T @ part).to(q.dtype), factor)
        return grad_q

    grad_q = _sum(share(gradients, list(zip(slices, of_p, factors, strict=True))))
    return (largest + total.log()) @ weights, grad_q.T


def _sum(parts: Sequence[Tensor]) -> Tensor:
    """Add up what each thread has, in their order: few numbers, for which no thread is woken."""
    return reduce(torch.add, parts)


def _columns(q: Tensor) -> Tensor:
    """Return Qᵀ as it is best multiplied by, (d_e, queries)."""
    return q.T.contiguous()


def _labelled(q: Tensor, E: Tensor, labels: Labels) -> Tensor:
    """Return Σ label · logit over the answers."""
    return labels.values @ (q[labels.rows] * E[labels.objects]).sum(1)


def _subtract_rows(q: Tensor, E: Tensor, labels: Labels, grad_q: Tensor, grad_E: Tensor) -> None:
    """Take the labels from the gradients themselves, where logits are too coarse for them."""
    values = labels.values[:, None]
    grad_q.index_add_(0, labels.rows, E[labels.objects] * values, alpha=-1)
    grad_E.index_add_(0, labels.objects, q[labels.rows] * values, alpha=-1)


def _subtract_floor(q: Tensor, E: Tensor, labels: Tensor, grad_q: Tensor, grad_E: Tensor) -> Tensor:
    """Take a label that all entities share from the gradients, and return Σ label · logit."""
    if not labels.any():
        return labels.new_zeros(())
    sum_E, sum_q = E.sum(0), labels @ q  # (d_e,) each: this part of the labels has rank one
    grad_q.addr_(labels, sum_E, alpha=-1)
    grad_E.sub_(sum_q)
    return sum_E @ sum_q


def _product(a: Tensor, b: Tensor, out: Tensor, *, add: bool = False) -> None:
    """Write a · b into `out`, whose type may be wider than theirs, or add it."""
    if out.dtype == a.dtype:
        out.addmm_(a, b, beta=int(add))
    elif add:
        out += a @ b
    else:
        out.copy_(a @ b)


@torch.no_grad()
def of_scores(z: Tensor, targets: Targets, loss: Loss) -> tuple[Tensor, Tensor]:
    """Return a loss of scores that are all there, (queries, n_e), and its gradient by them.

    An entity whose score is −∞ takes no part.
    """
    n_e, softmax = z.shape[1], loss.kind == "softmax"
    weights = targets.weights[:, None] if softmax else targets.weights[:, None] / n_e
    labels = torch.full_like(z, loss.floor(n_e)).masked_fill_(z.isinf(), 0)
    values = (1 - loss.smoothing) * (targets.shares() if softmax else 1.0)
    labels[targets.rows, targets.objects] += values
    finite = z.masked_fill(z.isinf(), 0)
    if softmax:
        value = labels.sum(1, keepdim=True) * z.logsumexp(1, keepdim=True)
        gradient = labels.sum(1, keepdim=True) * torch.softmax(z, 1) - labels
    else:
        value = F.softplus(z).sum(1, keepdim=True)
        gradient = torch.sigmoid(z) - labels
    total = ((value - (labels * finite).sum(1, keepdim=True)) * weights).sum()
    return total, gradient * weights
