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
_MOST_QUERIES = 512
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

    `known` are the answers to leave out (of all splits, as a rule). A question is scored once,
    however many triples ask it. Each block of questions meets all objects before the next; memory
    is bounded whatever the number of triples.
    """
    was_training = model.training
    model.eval()
    s, r, o = triples.T
    target = np.concatenate([o, s])
    asked = np.concatenate([r, r + n_r]) * model.n_e + np.concatenate([s, o])
    questions, question = np.unique(asked, return_inverse=True)  # relation by relation
    relation, subject = np.divmod(questions, model.n_e)
    order = np.argsort(question, kind="stable")
    ends = np.searchsorted(question[order], np.arange(len(questions) + 1))
    greater, equal, candidates = (np.empty(len(target), dtype=np.int64) for _ in range(3))
    size = _at_a_time(model.n_e)
    kept = torch.empty(model.n_e * size, dtype=model.E.dtype)
    entities = model.entities()
    objects = model.objects(entities)
    for first in range(0, len(questions), _QUESTIONS):
        some = slice(first, first + _QUESTIONS)
        q = model.queries(
            torch.from_numpy(subject[some]), torch.from_numpy(relation[some]), entities=entities
        )
        for start in range(0, len(q), size):
            places = np.arange(start, min(start + size, len(q)))
            rows = order[ends[first + start] : ends[first + places[-1] + 1]]
            rows = _firsts_ahead(rows, question[rows])
            met = _meet(
                model,
                q[torch.from_numpy(_enough(places))],
                objects,
                torch.from_numpy(target[rows]),
                torch.from_numpy(question[rows] - first - start),
                kept,
            )
            for part in cut(len(rows), _MOST_QUERIES):
                here = rows[part]
                left_out = known.find(subject[question[here]], relation[question[here]])
                counts = _count(met, part, *map(torch.from_numpy, left_out))
                greater[here], equal[here], candidates[here] = (count.numpy() for count in counts)
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
    equal scores. For the same reason no block of entities is a short one (`_meet`).
    """
    return np.resize(places, max(len(places), _FEWEST_QUERIES))


def _firsts_ahead(rows: Ids, question: Ids) -> Ids:
    """Put one answer to each question ahead of those to a question that was asked before."""
    again = np.append(False, question[1:] == question[:-1])
    return np.concatenate([rows[~again], rows[again]])


@dataclass(frozen=True, eq=False)
class _Met:
    """The scores of all entities, and how the true answers to some questions fare among them."""

    scores: Tensor  # (entities, questions)
    target: Tensor  # (answers,) the entity that each is
    column: Tensor  # (answers,) the question of each
    true: Tensor  # (answers,) its score
    level_or_below: Tensor  # (answers,) entities that score no more, itself included
    below: Tensor  # (answers,) entities that score less


def _meet(
    model: Model, q: Tensor, entities: Tensor, target: Tensor, column: Tensor, kept: Tensor
) -> _Met:
    """Score all entities into `kept`, and count those below and level with each answer."""
    scores = kept[: len(entities) * len(q)].view(len(entities), len(q))
    # What the answers will score, asked beforehand: each block is counted while it is in the cache.
    # Not by `meet_one`, which adds up in another order.
    asked = max(1, len(target) // _FEWEST_QUERIES)
    each = zip(torch.tensor_split(q[column], asked), torch.tensor_split(target, asked), strict=True)
    true = torch.cat([model.meet(some, entities[of]).diagonal() for some, of in each])

    def meet(_: int, blocks: Sequence[slice]) -> Tensor:
        met = (model.meet(q, entities[block], out=scores[block]) for block in blocks)
        return _below(met, column, true)

    blocks = cut(len(entities), _COUNTED)
    counts = torch.stack(share(meet, blocks)).sum(0)
    found = scores[target, column]
    if not torch.equal(found, true):  # a product of another shape may round in another way
        true = found
        counts = _below((scores[block] for block in blocks), column, true)
    return _Met(scores, target, column, true, *counts)


def _below(blocks: Iterable[Tensor], column: Tensor, true: Tensor) -> Tensor:
    """Count the scores up to `true` and those below it, (2, answers).

    Each block has some entities, (entities, questions). The first answers are one to each question,
    so they are compared with its column as it stands.
    """
    counts = torch.zeros(2, len(true), dtype=torch.long)
    questions = int(column.max()) + 1
    again = torch.split(torch.arange(questions, len(true)), _MOST_QUERIES)
    for block in blocks:
        counts[:, :questions] += _compare(block[:, :questions], true[:questions])
        for some in again:
            counts[:, some] += _compare(block.index_select(1, column[some]), true[some])
    return counts


def _compare(scores: Tensor, true: Tensor) -> Tensor:
    """Count the scores of each column up to its `true` and those below it, (2, columns)."""
    ones, work = true.new_ones(len(scores)), true.new_empty(scores.shape)
    counts = [ones @ compare(scores, true, out=work) for compare in (torch.le, torch.lt)]
    return torch.stack(counts).long()


def _count(met: _Met, part: slice, rows: Tensor, objects: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Count the candidates above and level with some answers, and all, the known ones left out.

    All entities were counted: the known answers are taken off again. What is not below or level
    counts as above: an answer whose score is no number ranks last, a candidate's is ahead.
    """
    target, column, true = met.target[part], met.column[part], met.true[part]
    others = objects != target[rows]  # the true answer itself stays
    known, at = met.scores[objects, column[rows]], true[rows]
    level_or_below = met.level_or_below[part] - _sums(rows, (known <= at) & others, len(true))
    below = met.below[part] - _sums(rows, (known < at) & others, len(true))
    candidates = len(met.scores) - _sums(rows, others, len(true))

    greater = torch.minimum(candidates - level_or_below, candidates - 1)
    equal = (level_or_below - below - 1).clamp(min=0)  # the true answer is level with itself
    return greater, equal, candidates


def _sums(rows: Tensor, chosen: Tensor, answers: int) -> Tensor:
    """Count the chosen of each answer."""
    return torch.bincount(rows, weights=chosen, minlength=answers).long()
