"""Questions put to a run: their new answers, the evidence for each, and its chance.

Every answer that this library gives comes from here. A question (s, r, ?) asks for objects; one for
subjects, (?, r, o), is asked as (o, r⁻¹, ?), the reciprocal of r being r + n_r.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from tucker.graph import Answers, Ids
from tucker.graph.schema.types import loops
from tucker.prediction.chances import (
    chances,
    evidence,
    fact_chances,
    least_evidence,
    total_among,
    total_of_all,
)
from tucker.prediction.order import best_first, best_of_rows
from tucker.runs import FinishedRun

_SCORES = 1 << 22  # at a time: 16 MiB
_SLACK = 1e-4  # of a score: what is cut off must not hang on rounding


class Asker:
    """Puts questions to a run; what never changes, such as the known answers, is kept ready.

    A candidate is an entity that may be a new answer: one that is not known to answer, and not the
    one asked about, unless the relation is known to hold between an entity and itself. `known` are
    the facts that count as known: all that the graph has, unless told otherwise.
    """

    def __init__(self, run: FinishedRun, known: Ids | None = None) -> None:
        self.run = run
        graph = run.graph
        self.known = (
            graph.known_answers if known is None else Answers.of(known, graph.n_e, graph.n_r)
        )
        self._loops = torch.from_numpy(np.tile(loops(graph), 2))  # (2 n_r,)

    @cached_property
    @torch.no_grad()
    def entities(self) -> Tensor:
        """The vector of every entity as a subject."""
        return self.run.model.entities()

    @cached_property
    @torch.no_grad()
    def objects(self) -> Tensor:
        """The vector of every entity as an object."""
        return self.run.model.objects(self.entities)

    @property
    def at_once(self) -> int:
        """How many questions to put at once, so that their scores take little memory."""
        return max(1, _SCORES // max(1, self.run.graph.n_e))

    def candidates(self, s: Tensor, r: Tensor, judged: Tensor | None = None) -> Tensor:
        """Return whether each entity is a candidate for each question (s, r, ?), (rows, n_e).

        With `judged`, (rows,), the fact with that object is taken as not known.
        """
        new = torch.ones(len(s), self.run.graph.n_e, dtype=torch.bool)
        new[tuple(map(torch.from_numpy, self.known.find(s.numpy(), r.numpy())))] = False
        rows = torch.arange(len(s))
        if judged is not None:
            new[rows, judged] = True
        new[rows, s] &= self._loops[r]
        return new

    @torch.no_grad()
    def ask(
        self, s: Tensor, r: Tensor, judged: Tensor | None = None
    ) -> tuple[Asked, Tensor, Tensor]:
        """Put the questions (s, r, ?); `judged` as for `candidates`.

        Besides them, return the scores of all entities and which are candidates, (rows, n_e).
        """
        q = self.run.model.queries(s, r, entities=self.entities)
        scores = self.run.model.meet(q, self.objects).T
        new = self.candidates(s, r, judged)
        calibrated = self.run.calibration is not None
        total = total_among(scores, new) if calibrated else total_of_all(self.run, scores)
        return Asked(self.run, r, q, total, (~new).sum(1)), scores, new

    def best(self, s: Tensor, r: Tensor, k: int) -> list[Answered]:
        """Return the k best candidates for each question, those with the greatest scores."""
        asked, scores, new = self.ask(s, r)
        o = best_of_rows(scores.masked_fill(~new, -torch.inf), k)
        row = torch.arange(len(s))[:, None].expand_as(o)
        found = asked.answered(scores.gather(1, o).flatten(), row.flatten(), o.flatten())
        counts = new.sum(1).tolist()
        return [
            found.take(torch.arange(start, start + min(o.shape[1], count)))
            for start, count in zip(range(0, o.numel(), o.shape[1]), counts, strict=True)
        ]

    def best_relations(self, s: int, o: int, k: int) -> tuple[Tensor, Answered]:
        """Return the k most probable new relations from s to o, and o as their answer.

        Scores of different questions do not compare, so chances decide, then evidence.
        """
        relations, parts = [], []
        for r in torch.split(torch.arange(self.run.graph.n_r), self.at_once):
            asked, scores, new = self.ask(torch.full_like(r, s), r)
            rows = torch.nonzero(new[:, o]).flatten()
            relations.append(r[rows])
            parts.append(asked.answered(scores[rows, o], rows, torch.full_like(rows, o)))
        found = Answered.join(parts)
        order = best_first(found.chances, found.evidence)[:k]
        return torch.cat(relations)[order], found.take(order)

    def evidence_of_all(self, scores: Tensor, new: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log-odds of all entities as answers to some questions, (rows, n_e) twice.

        First those against the other candidates, with which a calibration begins; then the model's
        own. Scores and candidates are as `ask` returns them.
        """
        own = total_of_all(self.run, scores)
        says = evidence(scores, None if own is None else own[:, None])
        return evidence(scores, total_among(scores, new)[:, None]), says

    def judge(self, s: Tensor, r: Tensor, o: Tensor) -> Answered:
        """Say how good each o is as an answer to its question (s, r, ?), for a fact by itself.

        A known fact is judged as if it were not known.
        """
        asked, scores, _ = self.ask(s, r, o)
        rows = torch.arange(len(o))
        return asked.answered(scores[rows, o], rows, o, by_itself=True)

    def judge_facts(self, triples: Ids) -> Judged:
        """Judge facts, (facts, 3), as answers for their objects and for their subjects."""
        order = np.argsort(triples[:, 1], kind="stable")  # a relation is made ready once a batch
        sides = []
        for batch in torch.split(torch.from_numpy(triples[order]), self.at_once):
            s, r, o = batch.T
            sides.append((self.judge(s, r, o), self.judge(o, r + self.run.graph.n_r, s)))
        back = torch.from_numpy(np.argsort(order, kind="stable"))
        forth, other = (Answered.join(side).take(back) for side in zip(*sides, strict=True))
        return Judged.of_sides(self.run, forth, other)


@dataclass(frozen=True, eq=False)
class Answered:
    """Answers to questions, with what the run says of them."""

    entities: Tensor  # (n,)
    scores: Tensor  # (n,)
    evidence: Tensor  # (n,) log-odds
    chances: Tensor  # (n,)

    def take(self, rows: Tensor) -> Answered:
        """Return some of the answers."""
        columns = self.entities, self.scores, self.evidence, self.chances
        return Answered(*(column[rows] for column in columns))

    @classmethod
    def join(cls, parts: Sequence[Answered]) -> Answered:
        """Put answers behind one another."""
        names = "entities", "scores", "evidence", "chances"
        return cls(*(torch.cat([getattr(part, name) for part in parts]) for name in names))


@dataclass(frozen=True, eq=False)
class Judged:
    """Facts, each judged by what its lesser side says: both must believe one."""

    scores: Tensor  # (facts,) φ(s, r, o)
    evidence: Tensor  # (facts,)
    lesser: Tensor  # (facts,) the lesser chance
    chances: Tensor  # (facts,) the probability of each by itself

    @classmethod
    def of_sides(cls, run: FinishedRun, forth: Answered, back: Answered) -> Judged:
        """Judge facts that were asked for their objects and for their subjects."""
        odds = torch.minimum(forth.evidence, back.evidence)
        lesser = torch.minimum(forth.chances, back.chances)
        return cls(forth.scores, odds, lesser, fact_chances(run, lesser))

    def ranks(self) -> list[int]:
        """Return the rank of each fact from 1; of equal ones the first goes first."""
        order = best_first(self.lesser, self.evidence)
        ranks = torch.empty_like(order)
        ranks[order] = torch.arange(1, len(order) + 1)
        return [int(rank) for rank in ranks]


@dataclass(frozen=True, eq=False)
class Asked:
    """Questions that were put, and what turns the scores of their answers into chances."""

    run: FinishedRun
    r: Tensor  # (rows,)
    q: Tensor  # (rows, d_e) the queries that meet objects
    total: Tensor | None  # (rows,) log of what shares are of; None if answers go one by one
    closed: Tensor  # (rows,) how many entities are no candidates

    def answered(
        self, scores: Tensor, rows: Tensor, entities: Tensor, *, by_itself: bool = False
    ) -> Answered:
        """Return what is said of answers, each given by the row of its question and its score."""
        odds = self.evidence(scores, rows)
        return Answered(entities, scores, odds, self.chances(odds, rows, by_itself=by_itself))

    def evidence(self, scores: Tensor, rows: Tensor) -> Tensor:
        """Return the log-odds of answers, given by their scores, to some of the questions."""
        return evidence(scores, None if self.total is None else self.total[rows])

    def chances(self, odds: Tensor, rows: Tensor, *, by_itself: bool) -> Tensor:
        """Return the probability of answers, given by their log-odds, to some of the questions."""
        return chances(self.run, self.r[rows], self.closed[rows], odds, by_itself=by_itself)

    def least_scores(self, chance: float) -> Tensor:
        """Return a score below which an answer by itself is less probable, (rows,)."""
        wanted = least_evidence(self.run, self.r, self.closed, chance)
        if self.total is not None:
            wanted = self.total + torch.nn.functional.logsigmoid(wanted)
        return wanted - _SLACK * (1 + wanted.abs().nan_to_num(posinf=0.0))

    def take(self, rows: Tensor) -> Asked:
        """Return some of the questions."""
        total = None if self.total is None else self.total[rows]
        return Asked(self.run, self.r[rows], self.q[rows], total, self.closed[rows])

    def and_then(self, other: Asked) -> Asked:
        """Put further questions behind these."""
        total = None
        if self.total is not None and other.total is not None:
            total = torch.cat([self.total, other.total])
        r, q = torch.cat([self.r, other.r]), torch.cat([self.q, other.q])
        return Asked(self.run, r, q, total, torch.cat([self.closed, other.closed]))
