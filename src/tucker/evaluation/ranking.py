"""Filtered ranks, by counting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from tucker.graph import Answers, Ids
from tucker.models import Model
from tucker.workers import cut, share

Ties = Literal["realistic", "optimistic", "pessimistic"]

_BLOCK_NUMBERS = 1 << 24  # scores at a time: 64 MiB
_MOST_QUERIES = 256
_FEWEST_QUERIES = 32
_QUESTIONS = 4096  # whose queries are formed at once, a relation's matrix then only once
_COUNTED = 2048  # entities met and compared at a time: their scores stay in the cache


@dataclass(frozen=True, eq=False)
class Ranks:
    """How each true answer fares among the candidates, known other answers left out.

    Row 0 is the object side, (s, r, ?); row 1 the subject side, (?, r, o).
    """

    greater: Ids  # (2, triples) candidates with a greater score
    equal: Ids  # (2, triples) other candidates with the same score
    candidates: Ids  # (2, triples) how many were ranked, the true answer included

    def ranks(self, ties: Ties = "realistic") -> npt.NDArray[np.float64]:
        """Return the ranks, from 1, under a policy for equal scores, (2, triples).

        "realistic" is the mean of the other two: what shuffling the ties would give on average.
        """
        share = {"optimistic": 0.0, "realistic": 0.5, "pessimistic": 1.0}[ties]
        return 1 + self.greater + share * self.equal


@torch.no_grad()
def rank(model: Model, triples: Ids, known: Answers, n_r: int) -> Ranks:
    """Rank the true object and the true subject of each triple among all entities.

    `known` are the answers to leave out (of all splits, as a rule). Each block of queries meets
    all objects before the next; memory is bounded whatever the number of triples.
    """
    was_training = model.training
    model.eval()
    s, r, o = triples.T
    subject = np.concatenate([s, o])
    relation = np.concatenate([r, r + n_r])
    target = np.concatenate([o, s])
    greater, equal, candidates = (np.empty(len(target), dtype=np.int64) for _ in range(3))
    order = np.argsort(relation, kind="stable")
    size = _at_a_time(model.n_e)
    scores = torch.empty(model.n_e * size, dtype=model.E.dtype)
    entities = model.entities()
    objects = model.objects(entities)
    for first in range(0, len(order), _QUESTIONS):
        some = order[first : first + _QUESTIONS]
        q = model.queries(
            torch.from_numpy(subject[some]), torch.from_numpy(relation[some]), entities=entities
        )
        for start in range(0, len(some), size):
            places = _enough(np.arange(start, min(start + size, len(some))))
            rows = some[places]
            counts = _count(
                model,
                q[torch.from_numpy(places)],
                objects,
                torch.from_numpy(target[rows]),
                *map(torch.from_numpy, known.find(subject[rows], relation[rows])),
                scores=scores[: model.n_e * len(rows)].view(model.n_e, len(rows)),
            )
            greater[rows], equal[rows], candidates[rows] = (count.numpy() for count in counts)
    model.train(was_training)
    return Ranks(*(counts.reshape(2, -1) for counts in (greater, equal, candidates)))


def _at_a_time(n_e: int) -> int:
    """Return how many queries meet the entities together.

    A power of two: with 102, the product took 1.7 times as long a query as with 128.
    """
    fitting = max(1, _BLOCK_NUMBERS // n_e)
    return min(_MOST_QUERIES, max(_FEWEST_QUERIES, 1 << fitting.bit_length() - 1))


def _enough(places: Ids) -> Ids:
    """Repeat questions where they are fewer than `_FEWEST_QUERIES`.

    A product of few rows adds up in an order that depends on the row: equal entities would not get
    equal scores. For the same reason no block of entities is a short one (`_count`).
    """
    return np.resize(places, max(len(places), _FEWEST_QUERIES))


def _count(
    model: Model,
    q: Tensor,
    entities: Tensor,
    target: Tensor,
    rows: Tensor,
    objects: Tensor,
    *,
    scores: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """Score all entities into `scores`; count those above and level with each target, and all.

    All entities are counted, then the known answers are taken off again. What is not below or level
    counts as above: an answer whose score is no number ranks last, a candidate's is ahead.
    """
    n_e, queries = scores.shape
    # What the targets will score, asked beforehand: each block is counted while it is in the cache.
    # Not by `meet_one`, which adds up in another order.
    asked = queries // _FEWEST_QUERIES
    each = zip(torch.tensor_split(q, asked), torch.tensor_split(target, asked), strict=True)
    true = torch.cat([model.meet(some, entities[of]).diagonal() for some, of in each])

    def meet(_: int, blocks: Sequence[slice]) -> Tensor:
        met = (model.meet(q, entities[block], out=scores[block]) for block in blocks)
        return _below(met, true)

    blocks = cut(n_e, _COUNTED)
    level_or_below, below = torch.stack(share(meet, blocks)).sum(0)
    found = scores[target, torch.arange(queries)]
    if not torch.equal(found, true):  # a product of another shape may round in another way
        true = found
        level_or_below, below = _below((scores[block] for block in blocks), true)

    others = objects != target[rows]  # the true answer itself stays
    known, at = scores[objects, rows], true[rows]
    level_or_below -= _sums(rows, (known <= at) & others, queries)
    below -= _sums(rows, (known < at) & others, queries)
    candidates = n_e - _sums(rows, others, queries)

    greater = torch.minimum(candidates - level_or_below, candidates - 1)
    equal = (level_or_below - below - 1).clamp(min=0)  # the true answer is level with itself
    return greater, equal, candidates


def _below(blocks: Iterable[Tensor], true: Tensor) -> Tensor:
    """Count the scores up to `true` and those below it, (2, queries).

    Each block has some entities, (entities, queries).
    """
    counts = torch.zeros(2, len(true), dtype=torch.long)
    kept = true.new_empty(_COUNTED, len(true))
    for block in blocks:
        work, ones = kept[: len(block)], true.new_ones(len(block))
        counts[0] += (ones @ torch.le(block, true, out=work)).long()
        counts[1] += (ones @ torch.lt(block, true, out=work)).long()
    return counts


def _sums(rows: Tensor, chosen: Tensor, queries: int) -> Tensor:
    """Count the chosen of each query."""
    return torch.bincount(rows, weights=chosen, minlength=queries).long()
