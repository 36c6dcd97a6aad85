"""Questions and facts from many requests, answered together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from tucker.prediction import Prediction
from tucker.prediction.asker import Answered, Asker

_MOST_ROWS = 256


@dataclass(frozen=True)
class Row:
    """A question (s, r, ?): its k best new answers are wanted, or how good its answer o is.

    A relation from n_r on is a reciprocal.
    """

    s: int
    r: int
    k: int = 0
    o: int | None = None


@dataclass(frozen=True, eq=False)
class Reply:
    """What is said of a row's answers, and their names where they were asked for."""

    answered: Answered
    predictions: list[Prediction]


class RowScorer:
    """Answers rows: questions by one product of queries and entities, and facts by another."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self.most = min(_MOST_ROWS, asker.at_once)

    def __call__(self, rows: Sequence[Row]) -> list[Reply]:
        """Return a reply to each row."""
        replies = self._questions([row for row in rows if row.o is None])
        judged = self._facts([row for row in rows if row.o is not None])
        return [next(replies) if row.o is None else next(judged) for row in rows]

    def _questions(self, rows: list[Row]) -> Iterator[Reply]:
        if not rows:
            return
        s, r, k = torch.tensor([[row.s, row.r, row.k] for row in rows]).T
        for row, found in zip(rows, self.asker.best(s, r, int(k.max())), strict=True):
            first = found.take(torch.arange(min(row.k, len(found.entities))))
            graph = self.asker.run.graph
            yield Reply(first, Prediction.of_answers(graph, row.s, row.r, first))

    def _facts(self, rows: list[Row]) -> Iterator[Reply]:
        if not rows:
            return
        s, r, o = torch.tensor([[row.s, row.r, row.o] for row in rows]).T
        found = self.asker.judge(s, r, o)
        for i in range(len(rows)):
            yield Reply(found.take(torch.tensor([i])), [])
