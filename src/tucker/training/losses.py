"""Losses over all entities, fused: their values and gradients from sparse answers.

With logits Z = E Qᵀ, the gradient with respect to Z is σ(Z) − Y (Bernoulli) or softmax(Z) − Y, so
two more products give those of Q and E. Z is worked through in blocks of entities that stay in the
cache, the dense label matrix Y is never built: its constant part (label smoothing) has rank one,
and its answers are added as sparse rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.training.buffers import Buffers
from tucker.workers import cut, share

_BLOCK_LOGITS = 1 << 18  # of a thread at a time: 1 MiB, which stay in the cache
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
        if self.kind == "bernoulli":
            return bernoulli(q, E, targets, self, grad_E, buffers, value=value)
        total, grad_q = softmax(q, E, targets, self, grad_E, buffers)
        return (total if value else None), grad_q

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
    factors_E, factors_q = loss.factor(E), loss.factor(q)
    # Weights enter through Q: no pass over the logits.
    weighted = loss.factor(q * weights[:, None])
    floor = loss.floor(len(E))

    def of_blocks(worker: int, blocks: Sequence[slice]) -> tuple[Tensor, Tensor]:
        total, grad_q = q.new_zeros(()), torch.zeros_like(q)
        for block in blocks:
            few = factors_E[block]
            z = buffers.take(f"logits of {worker}", len(few), len(q), like=factors_q)
            torch.mm(few, factors_q.T, out=z)  # (block, queries)
            if value:
                total += F.softplus(z).sum(0, dtype=q.dtype) @ weights
            z.sigmoid_().sub_(floor)
            _product(z, weighted, out=grad_E[block])
            _product(z.T, few, out=grad_q, add=True)
        return total, grad_q

    of_worker = zip(*share(of_blocks, _blocks(E, q)), strict=True)
    total, grad_q = (torch.stack(parts).sum(0) for parts in of_worker)
    grad_q *= weights[:, None]
    answers = (1 - loss.smoothing) * weights[targets.rows]
    total -= _subtract_answers(q, E, targets, answers, grad_q, grad_E)
    if not value:
        return None, grad_q
    return total - floor * (E.sum(0) @ (weights @ q)), grad_q


def softmax(
    q: Tensor, E: Tensor, targets: Targets, loss: Loss, grad_E: Tensor, buffers: Buffers
) -> tuple[Tensor, Tensor]:
    """Cross entropy of the softmax over all entities and a query's answers, which share it.

    A query weighted by the sum of their counts has the gradient of its answers one by one (1vsAll).
    """
    queries = max(1, _LARGEST_LOGITS // len(E))
    factors_E = loss.factor(E)
    grad_q = torch.empty_like(q)
    value = q.new_zeros(())
    for start in range(0, len(q), queries):
        some = slice(start, start + queries)
        p = buffers.take("probabilities", len(E), len(q[some]), like=factors_E)
        of_some, grad_q[some] = _softmax_part(
            q[some], factors_E, targets.weights[some], p, grad_E, add=start > 0
        )
        value += of_some
    answers = (1 - loss.smoothing) * targets.weights[targets.rows] * targets.shares()
    value -= _subtract_answers(q, E, targets, answers, grad_q, grad_E)
    value -= _subtract_floor(q, E, targets.weights * loss.floor(len(E)), grad_q, grad_E)
    return value, grad_q


def _softmax_part(
    q: Tensor, E: Tensor, weights: Tensor, p: Tensor, grad_E: Tensor, *, add: bool
) -> tuple[Tensor, Tensor]:
    """Return w · log Σ exp(z) of some queries and its gradient by them; write or add that by E.

    Each block of `p` is kept as exp(z − m), m being the largest logit of its thread so far; what it
    lacks to the softmax is then one factor a query, which enters through Q.
    """
    factors_q = q.to(E.dtype)

    def exponentials(_: int, blocks: Sequence[slice]) -> tuple[Tensor, Tensor, list[Tensor]]:
        largest = E.new_full((len(q),), -torch.inf)
        total, at_block = torch.zeros_like(q[:, 0]), []
        for block in blocks:
            z = torch.mm(E[block], factors_q.T, out=p[block])
            before, largest = largest, torch.maximum(largest, z.amax(0))
            total *= torch.exp(before - largest)
            total += z.sub_(largest).exp_().sum(0, dtype=q.dtype)
            at_block.append(largest)
        return largest, total, at_block

    blocks = _blocks(E, q)
    largest_of, total_of, at_block = zip(*share(exponentials, blocks), strict=True)
    largest = torch.stack(largest_of).amax(0)
    corrections = torch.exp(torch.stack(largest_of) - largest)
    total = (torch.stack(total_of) * corrections).sum(0)

    def gradients(worker: int, blocks: Sequence[slice]) -> Tensor:
        grad_q = torch.zeros_like(q)
        for block, m in zip(blocks, at_block[worker], strict=True):
            factor = (weights * torch.exp(m - largest) / total)[:, None]  # (queries, 1)
            scaled = (q * factor).to(E.dtype)
            _product(p[block], scaled, out=grad_E[block], add=add)
            grad_q.addcmul_((p[block].T @ E[block]).to(q.dtype), factor)
        return grad_q

    return (largest + total.log()) @ weights, torch.stack(share(gradients, blocks)).sum(0)


def _subtract_answers(
    q: Tensor, E: Tensor, targets: Targets, labels: Tensor, grad_q: Tensor, grad_E: Tensor
) -> Tensor:
    """Take the answers' labels from the gradients, and return Σ label · logit."""
    e_o = E[targets.objects]  # (answers, d_e)
    q_o = q[targets.rows] * labels[:, None]  # (answers, d_e)
    grad_q.index_add_(0, targets.rows, e_o * labels[:, None], alpha=-1)
    grad_E.index_add_(0, targets.objects, q_o, alpha=-1)
    return (q_o * e_o).sum()


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


def _blocks(E: Tensor, q: Tensor) -> list[slice]:
    """Cut the entities into blocks whose logits are few enough."""
    return cut(len(E), _BLOCK_LOGITS // len(q))
