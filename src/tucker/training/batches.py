"""The order in which an epoch visits the (subject, relation) pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from tucker.graph import Answers, Ids
from tucker.graph.answers import spans
from tucker.training.losses import Targets

_TOGETHER = 16  # pairs, a line of the cache: products of other numbers of them take longer


@dataclass(frozen=True, eq=False)
class Batch:
    """Some pairs with their known answers."""

    s: Tensor  # (pairs,)
    r: Tensor  # (pairs,)
    targets: Targets

    def __len__(self) -> int:
        return len(self.s)


class Batches:
    """Every answer exactly once an epoch; pairs shuffled, in runs that share a relation.

    With `degree_weight` β an answer counts 1 − β + β · (its facts / most facts of an entity), those
    of both sides. So do Zhang, Cai and Wang (`regularisers.py`) in their code, on WN18RR with β =
    .9; but there the counts of each batch add up to the same, here those of all pairs.

    A pair with more than `most_answers`, if that is not 0, is as many pairs as it needs, each with
    some of its answers: no single row then holds much of its batch.

    Pairs are shuffled within their relation and cut into groups; the groups are shuffled and
    strung together; batches are cut from the string, even in size, or in sixteens if their size is
    a multiple of it. All of it follows from the seed and the number of the epoch, so that a run
    stopped in the middle of one can go on there.
    """

    def __init__(
        self,
        answers: Answers,
        *,
        batch_size: int,
        group_size: int,
        most_answers: int = 0,
        answer_weight: float,
        degree_weight: float = 0.0,
        seed: int,
    ) -> None:
        if most_answers:
            answers = _cut(answers, most_answers, seed)
        self._answers = answers
        self._s = answers.subjects
        self._r = answers.relations
        self._group_size = group_size
        self._seed = seed
        self._of_entity = _by_degree(answers, degree_weight)
        in_order = self._of_entity[answers.objects]
        weights = np.add.reduceat(in_order, answers.offsets[:-1]) ** answer_weight
        self._weights = weights / weights.mean()
        # Batch normalisation needs two rows at least.
        self.per_epoch = max(1, min(-(-len(answers) // batch_size), len(answers) // 2))
        together = _TOGETHER if batch_size > _TOGETHER and batch_size % _TOGETHER == 0 else 1
        edges = np.arange(1, self.per_epoch) * -(-len(answers) // together) // self.per_epoch
        self._edges = edges * together  # where one batch ends and the next begins

    def __len__(self) -> int:
        """Return how many pairs an epoch visits, parts counted."""
        return len(self._answers)

    def epoch(self, number: int, start: int = 0) -> Iterator[Batch]:
        """Yield the batches of an epoch, from the `start`-th on."""
        for pairs in np.split(self.order(number), self._edges)[start:]:
            yield self._batch(pairs)

    def order(self, epoch: int) -> Ids:
        """Return all pairs in the order of an epoch."""
        random = np.random.default_rng([self._seed, epoch])
        pairs = random.permutation(len(self._answers))
        pairs = pairs[np.argsort(self._r[pairs], kind="stable")]
        relation = self._r[pairs]
        first = np.flatnonzero(np.diff(relation, prepend=-1))  # where each relation begins
        within = np.arange(len(pairs)) - np.repeat(first, np.diff(first, append=len(pairs)))
        group = np.cumsum(within % self._group_size == 0) - 1
        rank = random.permutation(group[-1] + 1)
        return pairs[np.argsort(rank[group], kind="stable")]

    def _batch(self, pairs: Ids) -> Batch:
        rows, objects = self._answers.take(pairs)
        weights, counts = (
            torch.from_numpy(x).to(torch.get_default_dtype())
            for x in (self._weights[pairs] / len(pairs), self._of_entity[objects])
        )
        targets = Targets(torch.from_numpy(rows), torch.from_numpy(objects), weights, counts)
        return Batch(torch.from_numpy(self._s[pairs]), torch.from_numpy(self._r[pairs]), targets)


def _by_degree(answers: Answers, share: float) -> npt.NDArray[np.float64]:
    """Return how much each entity counts as an answer, (n_e,): a share by how many facts it has."""
    facts = np.bincount(answers.objects, minlength=answers.n_e)
    weights: npt.NDArray[np.float64] = 1 - share + share * facts / facts.max()
    return weights


def _cut(answers: Answers, most: int, seed: int) -> Answers:
    """Shuffle the answers of each pair and deal them out to pairs of at most so many, evenly.

    Keys then repeat and objects are in no order: good for `take`, not for `find`.
    """
    pairs, counts = np.arange(len(answers)), answers.counts
    order = np.random.default_rng(seed).permutation(len(answers.objects))
    order = order[np.argsort(np.repeat(pairs, counts)[order], kind="stable")]
    parts = -(-counts // most)
    of_part, within = spans(parts)
    starts = answers.offsets[of_part] + within * counts[of_part] // parts[of_part]
    offsets = np.append(starts, len(order))
    return Answers(answers.n_e, answers.keys[of_part], offsets, answers.objects[order])
