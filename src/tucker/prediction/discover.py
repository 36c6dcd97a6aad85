"""The most probable missing facts of a relation, of a subject or of the whole graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from tucker.errors import TuckerError
from tucker.graph import Ids
from tucker.graph.schema.types import Kinds
from tucker.prediction.asker import Asked, Asker, Judged
from tucker.prediction.chances import fact_chances, least_chance
from tucker.prediction.order import best_first
from tucker.prediction.prediction import Prediction
from tucker.runs import FinishedRun


def discover(
    run: FinishedRun,
    relation: str | None = None,
    *,
    subject: str | None = None,
    known: Ids | None = None,
    k: int = 100,
    min_probability: float = 0.0,
    report: Callable[[float], None] = lambda done: None,
) -> list[Prediction]:
    """Return the k most probable new facts, between entities of the kinds that a relation has.

    A fact answers two questions, (s, r, ?) and (?, r, o); the lesser of the two answers' chances
    orders facts, for both must believe one, and its probability follows from that. `known` are the
    facts to leave out: all that the graph has, unless told otherwise. `report` is told now and then
    which share of the work is done; to raise there ends it.
    """
    if k < 1:
        raise TuckerError(f"k must be at least 1; found {k}")
    graph = run.graph
    relations = range(graph.n_r) if relation is None else [graph.relations.id(relation)]
    subjects = None if subject is None else np.arange(graph.n_e) == graph.entities.id(subject)
    best = BestFacts(k, least_chance(run, min_probability))
    search = Search(run, known, report)
    for done in search(relations, subjects, best):
        report(done)
    chances = fact_chances(run, best.chances)
    enough = chances >= min_probability
    return Prediction.ranked(
        graph, map(tuple, best.facts[enough].tolist()), best.scores[enough], chances[enough]
    )


class Search:
    """Goes through relations and batches of their subjects; reports before every product."""

    def __init__(
        self,
        run: FinishedRun,
        known: Ids | None,
        report: Callable[[float], None] = lambda done: None,
    ) -> None:
        self.run = run
        self.report = report
        self.done = 0.0  # share of the subjects
        self.asker = Asker(run, known)
        self.kinds = Kinds(run.graph)

    @torch.no_grad()
    def __call__(
        self, relations: range | list[int], only: npt.NDArray[np.bool_] | None, best: BestFacts
    ) -> Iterator[float]:
        """Offer all facts that may belong to the best; say after each batch what is done.

        `only`, (n_e,), says which subjects to look at, if not all.
        """
        of_relation = {r: self._subjects(r, only) for r in relations}
        total, done = max(1, sum(map(len, of_relation.values()))), 0
        for r, subjects in of_relation.items():
            objects = torch.from_numpy(self.kinds.entities_of(r + self.run.graph.n_r))
            back = _Back(self, r, objects)
            for batch in (
                torch.split(torch.from_numpy(subjects), self.asker.at_once) if len(subjects) else ()
            ):
                self._search_batch(batch, r, objects, back, best)
                done += len(batch)
                self.done = done / total
                yield self.done

    def _subjects(self, r: int, only: npt.NDArray[np.bool_] | None) -> Ids:
        found = self.kinds.entities_of(r)
        return found if only is None else found[only[found]]

    def ask(self, s: Tensor, r: int) -> tuple[Asked, Tensor, Tensor]:
        """Put the questions (s, r, ?): them, all scores, and which entities are candidates."""
        self.report(self.done)
        return self.asker.ask(s, torch.full_like(s, r))

    def _search_batch(
        self, s: Tensor, r: int, objects: Tensor, back: _Back, best: BestFacts
    ) -> None:
        asked, scores, new = self.ask(s, r)
        scores = scores[:, objects]  # (subjects, objects)
        open = new[:, objects] & (scores >= asked.least_scores(best.least)[:, None])
        columns = torch.nonzero(open.any(0)).flatten()  # the other objects are out of the question
        if not len(columns):
            return
        answers = back.of(columns)
        against = self.run.model.meet(answers.q, self.asker.objects[s])  # (subjects, columns)
        open = open[:, columns] & (against >= answers.least_scores(best.least))
        row, column = torch.nonzero(open, as_tuple=True)
        of_row, of_column = scores[row, columns[column]], against[row, column]
        forth = asked.answered(of_row, row, objects[columns[column]], by_itself=True)
        judged = Judged.of_sides(
            self.run, forth, answers.answered(of_column, column, s[row], by_itself=True)
        )
        facts = torch.stack([s[row], torch.full_like(row, r), forth.entities], dim=1)
        best.offer(facts, judged.scores, judged.lesser, judged.evidence)


class _Back:
    """The questions (?, r, o) of a relation, asked as (o, r⁻¹, ?) once they are needed."""

    def __init__(self, search: Search, r: int, objects: Tensor) -> None:
        self._search = search
        self._r = r + search.run.graph.n_r
        self._objects = objects
        self._places = torch.full((len(objects),), -1)  # of each object among those asked
        self._asked: Asked | None = None

    def of(self, columns: Tensor) -> Asked:
        """Return the questions about some of the objects."""
        missing = columns[self._places[columns] < 0]
        for batch in torch.split(missing, self._search.asker.at_once) if len(missing) else ():
            more, _, _ = self._search.ask(self._objects[batch], self._r)
            count = 0 if self._asked is None else len(self._asked.q)
            self._places[batch] = torch.arange(count, count + len(batch))
            self._asked = more if self._asked is None else self._asked.and_then(more)
        assert self._asked is not None
        return self._asked.take(self._places[columns])


_FACT = 3  # columns: subject, relation, object


class BestFacts:
    """Keeps the k most probable facts; equally probable ones by evidence, then as they came."""

    def __init__(self, k: int, least: float = 0.0) -> None:
        self.k = k
        self._least = least
        self.facts = torch.empty(0, _FACT, dtype=torch.long)
        self.scores, self.chances, self._evidence = torch.empty(3, 0, dtype=torch.float64)

    @property
    def least(self) -> float:
        """The probability below which a fact need not be offered."""
        return self._least if len(self.facts) < self.k else float(self.chances[-1])

    def offer(self, facts: Tensor, scores: Tensor, chances: Tensor, evidence: Tensor) -> None:
        """Take in facts, (n, 3), that belong to the best so far."""
        good = chances >= self.least
        if int(good.sum()) > self.k:  # most of a first batch: sort no more than needed
            least = torch.topk(chances, self.k).values[-1]
            good = chances >= least
        self.facts = torch.cat([self.facts, facts[good]])
        self.scores = torch.cat([self.scores, scores[good].double()])
        self.chances = torch.cat([self.chances, chances[good].double()])
        self._evidence = torch.cat([self._evidence, evidence[good].double()])
        order = best_first(self.chances, self._evidence)[: self.k]
        self.facts, self.scores = self.facts[order], self.scores[order]
        self.chances, self._evidence = self.chances[order], self._evidence[order]
