"""Filtered ranks, by counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from tucker.graph import Answers, Ids
from tucker.models import Model
from tucker.workers import cut, share

Ties = Literal["realistic", "optimistic", "pessimistic"]

_QUESTIONS = 4096  # whose queries are formed at once, a relation's matrix then only once
_SCORES = 1 << 22  # of questions whose queries are their scores
_MOST_QUERIES = 256  # that meet the entities together
_MOST_OF_A_PRODUCT = 1024  # where they meet by a product: it is the faster the more there are
_FEWEST_QUERIES = 32  # of a product, for the sake of equal entities (`_enough`)
_COUNTED = 1024  # entities met and compared at a time, soon enough to be in the cache
_MOST_OF_A_BYTE = 255  # comparisons that a byte can count


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
    however many triples ask it. Each slice of questions meets all objects before the next; beside a
    few numbers a triple, memory is bounded.
    """
    was_training = model.training
    model.eval()
    s, r, o = triples.T
    target = np.concatenate([o, s])
    keys = np.concatenate([r, r + n_r]) * model.n_e + np.concatenate([s, o])
    questions, question = np.unique(keys, return_inverse=True)  # relation by relation
    relation, subject = np.divmod(questions, model.n_e)
    order = np.argsort(question, kind="stable")
    ends = np.searchsorted(question[order], np.arange(len(questions) + 1))
    greater, equal, candidates = (np.empty(len(target), dtype=np.int64) for _ in range(3))
    entities = model.entities()
    objects = model.objects(entities)
    wide = model.scores_are_queries
    most = _MOST_OF_A_PRODUCT if model.meets_by_product else _MOST_QUERIES
    at_once = min(_QUESTIONS, max(1, _SCORES // model.n_e)) if wide else _QUESTIONS
    for first in range(0, len(questions), at_once):
        some = slice(first, first + at_once)
        q = model.queries(
            torch.from_numpy(subject[some]), torch.from_numpy(relation[some]), entities=entities
        )
        for start in range(0, len(q), most):
            places = np.arange(start, min(start + most, len(q)))
            these = first + places
            rows = order[ends[these[0]] : ends[these[-1] + 1]]
            rows = _firsts_ahead(rows, question[rows])
            asked = _Queries(
                model,
                q[torch.from_numpy(_enough(places))],
                objects,
                torch.from_numpy(target[rows]),
                torch.from_numpy(question[rows] - these[0]),
                *_by_entity(*known.find(subject[these], relation[these])),
            )
            greater[rows], equal[rows], candidates[rows] = (n.numpy() for n in asked.count())
    model.train(was_training)
    return Ranks(*(counts.reshape(2, -1) for counts in (greater, equal, candidates)))


def _enough(places: Ids) -> Ids:
    """Repeat questions where they are fewer than `_FEWEST_QUERIES`.

    A product of few rows adds up in an order that depends on the row: equal entities would not get
    equal scores. For the same reason no slice of entities is a short one: `cut` makes them even.
    """
    return np.resize(places, max(len(places), _FEWEST_QUERIES))


def _firsts_ahead(rows: Ids, question: Ids) -> Ids:
    """Put one answer to each question ahead of those to a question that was asked before."""
    again = np.append(False, question[1:] == question[:-1])
    return np.concatenate([rows[~again], rows[again]])


def _by_entity(column: Ids, entity: Ids) -> tuple[Tensor, Tensor]:
    """Sort known answers, so that those of a slice of entities are one slice."""
    order = np.argsort(entity, kind="stable")
    return torch.from_numpy(column[order]), torch.from_numpy(entity[order])


@dataclass(frozen=True, eq=False)
class _Queries:
    """Questions that meet all entities, and their answers: the true ones to rank, the known."""

    model: Model
    q: Tensor  # (questions, d)
    objects: Tensor  # (entities, d)
    target: Tensor  # (answers,) the entity that is the true one
    column: Tensor  # (answers,) its question; the first ones are one to each, in order
    known_column: Tensor  # (known,) the question of each known answer
    known: Tensor  # (known,) the entity, ascending

    def count(self) -> tuple[Tensor, Tensor, Tensor]:
        """Count the candidates above and level with each true answer, and all, itself included.

        What is neither below nor level counts as above: an answer whose score is no number ranks
        last, a candidate's is ahead.
        """
        q, target, column = self.q, self.target, self.column
        true = self._asked_alone()
        (level_or_below, below), found = self._compare(true)
        if not torch.allclose(found, true, rtol=0, atol=0, equal_nan=True):
            true = found  # a product of another shape may round in another way
            (level_or_below, below), _ = self._compare(true)
        is_known = torch.isin(target * len(q) + column, self.known * len(q) + self.known_column)
        others = len(self.objects) - torch.bincount(self.known_column, minlength=len(q))[column]
        others -= (~is_known).long()
        level_or_below -= (~is_known & ~true.isnan()).long()  # it is level with itself
        return others - level_or_below, level_or_below - below, others + 1

    def _asked_alone(self) -> Tensor:
        """Return what the true answers will score among all entities, (answers,).

        Asked beforehand, so that a slice of scores is counted while it is in the cache; not by
        `meet_one`, which adds up in another order.
        """
        rows = torch.arange(max(len(self.target), _FEWEST_QUERIES)) % len(self.target)
        parts = torch.tensor_split(rows, len(rows) // _FEWEST_QUERIES)
        met = (
            self.model.meet(self.q[self.column[some]], self.objects[self.target[some]])
            for some in parts
        )
        return torch.cat([scores.diagonal() for scores in met])[: len(self.target)]

    def _compare(self, true: Tensor) -> tuple[Tensor, Tensor]:
        """Count the entities that score up to `true` and below it, known answers left out.

        Return the counts, (2, answers), and what the true answers score.
        """
        slices = cut(len(self.objects), _COUNTED)
        edges = torch.tensor([*(piece.start for piece in slices), len(self.objects)])
        by_target = torch.argsort(self.target)
        targets = torch.searchsorted(self.target[by_target], edges).tolist()
        known = torch.searchsorted(self.known, edges).tolist()
        longest, questions = max(piece.stop - piece.start for piece in slices), len(self.q)
        asked = int(self.column.max()) + 1
        found = torch.empty_like(true)

        def compare(_: int, some: Sequence[tuple[slice, slice, slice]]) -> Tensor:
            counts = torch.zeros(2, len(true), dtype=torch.long)
            scores, picked = (true.new_empty(longest * questions) for _ in range(2))
            is_so = np.empty(longest * questions, dtype=np.bool_)
            for piece, these, out in some:
                answers, few = by_target[these], self.objects[piece]
                z = scores[: len(few) * questions].view(-1, questions)
                z = self.model.meet(self.q, few, out=z)  # (slice, questions)
                found[answers] = z[self.target[answers] - piece.start, self.column[answers]]
                # No number is neither below nor level: it is not counted.
                z[self.known[out] - piece.start, self.known_column[out]] = torch.nan
                # One answer to each question comes first: its column is compared as it stands.
                counts[:, :asked] += _up_to(z[:, :asked], true[:asked], is_so)
                for first in range(asked, len(true), questions):
                    more = self.column[first : first + questions]
                    at = true[first : first + questions]
                    into = picked[: len(few) * len(at)].view(-1, len(at))
                    columns = torch.index_select(z, 1, more, out=into)
                    counts[:, first : first + len(at)] += _up_to(columns, at, is_so)
            return counts

        counts = share(compare, list(zip(slices, _between(targets), _between(known), strict=True)))
        return torch.stack(counts).sum(0), found


def _between(edges: list[int]) -> list[slice]:
    """Return the slice from each edge to the next."""
    return [slice(first, last) for first, last in pairwise(edges)]


def _up_to(scores: Tensor, true: Tensor, work: npt.NDArray[np.bool_]) -> Tensor:
    """Count the scores of each column up to its `true` and those below it, (2, columns).

    By NumPy, which compares several times as fast as torch; truth values add up as bytes.
    """
    z, at = scores.numpy(), true.numpy()
    counts = np.zeros((2, len(at)), dtype=np.int64)
    is_so = work[: z.size].reshape(z.shape)
    for row, compare in enumerate((np.less_equal, np.less)):
        compare(z, at, out=is_so)
        for first in range(0, len(z), _MOST_OF_A_BYTE):
            some = is_so[first : first + _MOST_OF_A_BYTE].view(np.uint8)
            counts[row] += np.add.reduce(some, axis=0, dtype=np.uint8)
    return torch.from_numpy(counts)
