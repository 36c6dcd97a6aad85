"""A model beside which rules speak."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from tucker.errors import SettingsError
from tucker.models.base import Model, Relations
from tucker.models.groups import Groups
from tucker.models.rules import Rules

_MOST_ENTITIES = 1 << 24  # whole numbers that float32 tells apart
_QUESTIONS = 64  # whose paths are followed at once
_MOST_KEPT = 1 << 20  # values of ρ that are kept for questions asked before


class WithRules(Model):
    """φ(s, r, o) = φ₁(s, r, o) + λ ρ(s, r, o), of a model and of rules.

    It is made of a trained model and is not trained itself. Rules know ids, not vectors: a query
    has the ids of its subject and relation as two more numbers, an object has its own.
    """

    meets_by_product: ClassVar[bool] = False

    def __init__(self, model: Model, rules: Rules, *, weight: float = 1.0) -> None:
        super().__init__(n_e=model.n_e, n_r=model.n_r)
        if model.n_e > _MOST_ENTITIES:
            raise SettingsError(f"rules: a graph of more than {_MOST_ENTITIES:,} entities")
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

    def around(self, model: Model) -> WithRules:
        """Return another model with the same rules; it is to be told its facts."""
        rules = Rules(n_e=model.n_e, n_r=model.n_r)
        rules.load_state_dict(self.rules.state_dict())
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
        row, entity, value = self._rho(q)
        here = place[entity] >= 0
        rho = torch.zeros_like(scores)
        rho[place[entity[here]], row[here]] = value[here].to(scores)
        return scores.add_(rho[place[ids]], alpha=self._weight)  # an object may be there twice

    def meet_one(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return both scores of one object a query, (rows,)."""
        row, entity, value = self._rho(q)
        it = entity == e_o[row, -1]
        scores = self.model.meet_one(q[:, :-2], e_o[:, :-1])
        return scores.index_add(0, row[it], value[it].to(scores), alpha=self._weight)

    def _rho(self, q: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return what the rules say to some questions, flat: row, entity and value."""
        s, r = q[:, -2:].long().T
        question = r * self.n_e + s
        if (kept := self._kept).lacks(question):
            new = torch.unique(question[~torch.isin(question, kept.questions)])
            more = self._follow(new)
            kept = kept.and_(more)
            if len(kept.value) > _MOST_KEPT:
                asked = torch.unique(question)
                kept = more if len(asked) == len(new) else self._follow(asked)
            self._kept = kept  # at once: others may be asking
        return kept.find(question)

    def _follow(self, questions: Tensor) -> _Kept:
        """Ask the rules some questions, ascending."""
        parts = []
        for some in torch.split(questions, _QUESTIONS):
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

    def lacks(self, question: Tensor) -> bool:
        return not bool(torch.isin(question, self.questions).all())

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
        _, entity, value = both._spans(order)
        return _Kept(questions[order], both.count[order], entity, value)

    def find(self, question: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return what was said to some of the questions: the row of each value, and these."""
        return self._spans(torch.searchsorted(self.questions, question))

    def _spans(self, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        count = self.count[places]
        start = (self.count.cumsum(0) - self.count)[places]
        row = torch.repeat_interleave(torch.arange(len(places)), count)
        at = start[row] + torch.arange(len(row)) - (count.cumsum(0) - count)[row]
        return row, self.entity[at], self.value[at]
