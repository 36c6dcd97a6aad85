"""Questions (s, r, ?), many at a time: one product of queries and entities answers them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tucker.graph import Answers
from tucker.prediction import Prediction
from tucker.prediction.new import NONE, NewAnswers
from tucker.prediction.probability import answer_chances, answer_evidence
from tucker.runs import FinishedRun

_BLOCK_NUMBERS = 1 << 22  # scores at a time: 16 MiB
_MOST_ROWS = 256


@dataclass(frozen=True)
class Row:
    """One (s, r, ?): the k best new answers are wanted, or what this side says of the fact with o.

    A relation from n_r on is a reciprocal.
    """

    s: int
    r: int
    k: int = 0
    o: int | None = None


class RowScorer:
    """Answers rows together; what never changes, such as the known answers, is kept ready."""

    def __init__(self, run: FinishedRun) -> None:
        self.run = run
        self.most = max(1, min(_MOST_ROWS, _BLOCK_NUMBERS // max(1, run.graph.n_e)))
        graph = run.graph
        self.known = Answers.of(graph.known, graph.n_e, graph.n_r)
        self._new_answers = NewAnswers(graph)
        with torch.no_grad():
            self._entities = run.model.entities()

    @torch.no_grad()
    def __call__(self, rows: Sequence[Row]) -> list[list[Prediction]]:
        """Return the predictions of each row, the best first."""
        s, r = torch.tensor([[row.s, row.r] for row in rows]).T
        scores = self.run.model.score_objects(s, r, self._entities)  # (rows, n_e)
        o = torch.tensor([NONE if row.o is None else row.o for row in rows])
        new = self._new_answers(s, r, o)
        odds = answer_evidence(self.run, scores, new)
        closed = (~new).sum(1).tolist()
        most = min(max(row.k for row in rows), self.run.graph.n_e)
        best = torch.topk(scores.masked_fill(~new, -torch.inf), most, dim=1).indices
        found = []
        for i, row in enumerate(rows):
            if row.o is not None:
                answers = torch.tensor([row.o])
            else:
                answers = best[i, : min(row.k, self.run.graph.n_e - closed[i])]
            asked = row.o is None
            chances = answer_chances(self.run, row.r, closed[i], odds[i, answers], asked=asked)
            found.append(self._named(row, answers, scores[i, answers], chances))
        return found

    def _named(self, row: Row, ids: Tensor, scores: Tensor, chances: Tensor) -> list[Prediction]:
        graph, n_r = self.run.graph, self.run.graph.n_r
        found = zip(scores.tolist(), ids.tolist(), chances.tolist(), strict=True)
        best = sorted(found, key=lambda one: (-one[0], one[1]))  # equal ones in the order of ids
        return [
            Prediction.of_ids(
                graph,
                *((row.s, row.r, o) if row.r < n_r else (o, row.r - n_r, row.s)),
                score=score,
                probability=chance,
                rank=rank,
            )
            for rank, (score, o, chance) in enumerate(best, start=1)
        ]
