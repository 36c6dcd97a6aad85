"""A model beside which rules speak."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from tucker.errors import SettingsError
from tucker.models.base import Model, Relations
from tucker.models.groups import Groups
from tucker.models.rules import Rules
from tucker.models.spans import spans
from tucker.models.trails import find

_MOST_ENTITIES = 1 << 24  # whole numbers that float32 tells apart
_MOST_RELATIONS = 1 << 14  # whose patterns, and facts of as many entities, have 64-bit codes
_QUESTIONS = 256  # answered at once
_WALKED = 64  # whose paths are followed at once
_MOST_KEPT = 1 << 18  # questions asked before, and values of ρ, that are kept


def check_size(n_e: int, n_r: int) -> None:
    """Refuse a graph that is too large for rules; `n_r` counts reciprocal relations."""
    if n_e > _MOST_ENTITIES or n_r > _MOST_RELATIONS:
        raise SettingsError(
            f"rules: {n_e:,} entities and {n_r // 2:,} relations are too many; at most "
            f"{_MOST_ENTITIES:,} and {_MOST_RELATIONS // 2:,} may be: leave rules out"
        )


class WithRules(Model):
    """φ(s, r, o) = φ₁(s, r, o) + λ ρ(s, r, o), of a model and of rules.

    It is made of a trained model and is not trained itself. Rules know ids, not vectors: a query
    has the ids of its subject and relation as two more numbers, an object has its own.
    """

    meets_by_product: ClassVar[bool] = False

    def __init__(self, model: Model, rules: Rules, *, weight: float = 1.0) -> None:
        super().__init__(n_e=model.n_e, n_r=model.n_r)
        check_size(model.n_e, model.n_r)
        self.model = model
        self.rules = rules
        self._weight = weight
        self._kept = _Kept.nothing()
        self.train(model.training)

    @property
    def E(self) -> nn.Parameter:  # type: ignore[override]  # noqa: N802
        """The entities of the model."""
        return self.model.E

    @property
    def R(self) -> nn.Parameter:  # type: ignore[override]  # noqa: N802
        """The relations of the model."""
        return self.model.R

    @property
    def embedding(self) -> Model:
        """The model without its rules."""
        return self.model

    def around(self, model: Model, triples: Tensor) -> WithRules:
        """Return another model with the same rules, walking along some facts, (facts, 3)."""
        rules = Rules(n_e=model.n_e, n_r=model.n_r)
        rules.load_state_dict(self.rules.state_dict())
        rules.take_facts(triples)
        return WithRules(model, rules, weight=self._weight)

    def take_facts(self, triples: Tensor) -> None:
        """Tell both."""
        self.model.take_facts(triples)
        self.rules.take_facts(triples)
        self._kept = _Kept.nothing()

    def operators(self, w_r: Tensor) -> Tensor:
        """Return what the model forms of each relation."""
        return self.model.operators(w_r)

    def entities(self) -> Tensor:
        """Return the vectors of the model's entities."""
        return self.model.entities()

    def objects(self, entities: Tensor) -> Tensor:
        """Return the model's objects, each with its id behind it."""
        objects = self.model.objects(entities)
        ids = torch.arange(len(objects)).to(objects)
        return torch.cat([objects, ids[:, None]], dim=1)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return the model's queries alone: who asks is not known here."""
        return self.model.query(e_s, w_r, groups)

    def ask(self, s: Tensor, relations: Relations, entities: Tensor) -> Tensor:
        """Return the model's queries, each with the ids of its subject and relation behind it."""
        q = self.model.ask(s, relations, entities)
        r = relations.groups.relation[relations.groups.of_row]
        return torch.cat([q, torch.stack([s, r], dim=1).to(q)], dim=1)

    def meet(self, q: Tensor, objects: Tensor, out: Tensor | None = None) -> Tensor:
        """Return both scores of each object as the answer to each query, (objects, rows)."""
        scores = self.model.meet(q[:, :-2], objects[:, :-1], out)
        ids = objects[:, -1].long()
        place = torch.full((self.n_e,), -1)
        place[ids] = torch.arange(len(ids))
        s, r = q[:, -2:].long().T
        for rows, (row, entity, value) in self._rho(s, r):
            here = place[entity] >= 0
            rho = scores.new_zeros(len(ids), len(s[rows]))
            rho[place[entity[here]], row[here]] = value[here].to(scores)
            scores[:, rows] += self._weight * rho[place[ids]]  # an object may be there twice
        return scores

    def score_objects(self, s: Tensor, r: Tensor, entities: Tensor | None = None) -> Tensor:
        """Return φ(s, r, o) of every entity o, (rows, n_e); `entities()` may be given."""
        scores = self.model.score_objects(s, r, entities)
        for rows, (row, entity, value) in self._rho(s, r):
            scores[rows][row, entity] += self._weight * value.to(scores)
        return scores

    def score(self, s: Tensor, r: Tensor, o: Tensor, entities: Tensor | None = None) -> Tensor:
        """Return φ(s, r, o) of each triple, (rows,); `entities()` may be given."""
        scores = self.model.score(s, r, o, entities)
        for rows, (row, entity, value) in self._rho(s, r):
            it = entity == o[rows][row]
            scores[rows][row[it]] += self._weight * value[it].to(scores)
        return scores

    def _rho(self, s: Tensor, r: Tensor) -> Iterator[tuple[slice, tuple[Tensor, Tensor, Tensor]]]:
        """Yield what the rules say to some questions at a time: row, entity and value, flat."""
        questions = r * self.n_e + s
        for first in range(0, len(questions), _QUESTIONS):
            rows = slice(first, first + _QUESTIONS)
            yield rows, self._answers(questions[rows])

    def _answers(self, questions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        kept = self._kept
        _, there = find(kept.questions, questions)
        if not there.all():
            kept = kept.and_(self._follow(torch.unique(questions[~there])))
            if len(kept) > _MOST_KEPT:
                kept = self._follow(torch.unique(questions))
            self._kept = kept  # at once: others may be asking
        return kept.find(questions)

    def _follow(self, questions: Tensor) -> _Kept:
        """Ask the rules some questions, ascending."""
        parts = []
        for some in torch.split(questions, _WALKED):
            row, entity, value = self.rules(some % self.n_e, some // self.n_e)
            parts.append((torch.bincount(row, minlength=len(some)), entity, value))
        count, entity, value = map(torch.cat, zip(*parts, strict=True))
        return _Kept(questions, count, entity, value)


@dataclass(frozen=True, eq=False)
class _Kept:
    """What rules said to some questions."""

    questions: Tensor  # (questions,) ascending
    count: Tensor  # (questions,) how many values each has
    entity: Tensor  # (values,) by question
    value: Tensor  # (values,)

    @classmethod
    def nothing(cls) -> _Kept:
        none = torch.empty(0, dtype=torch.long)
        return cls(none, none, none, torch.empty(0))

    def __len__(self) -> int:
        return len(self.questions) + len(self.value)

    def and_(self, more: _Kept) -> _Kept:
        """Put other questions among these."""
        questions = torch.cat([self.questions, more.questions])
        both = _Kept(
            questions,
            torch.cat([self.count, more.count]),
            torch.cat([self.entity, more.entity]),
            torch.cat([self.value, more.value]),
        )
        order = torch.argsort(questions)
        _, entity, value = both._of(order)
        return _Kept(questions[order], both.count[order], entity, value)

    def find(self, questions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return what was said to some of the questions: the row of each value, and these."""
        return self._of(torch.searchsorted(self.questions, questions))

    def _of(self, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        start = self.count.cumsum(0) - self.count
        row, at = spans(start[places], self.count[places])
        return row, self.entity[at], self.value[at]
