"""A mixture: members whose scores add up, each with a weight.

A member is a learner: a model of vectors, or a reasoner along paths. A recipe names its members as
`model`, `beside` and `rules`.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

import torch
from torch import Tensor, nn

from tucker.errors import RunError, SettingsError
from tucker.graph import Graph
from tucker.models import MODELS, Groups, Model, Relations, Trilinear
from tucker.reasoning.kept_answers import KeptAnswers
from tucker.reasoning.pathnet import PathNetwork
from tucker.reasoning.rules import Rules

if TYPE_CHECKING:
    from tucker.models import TuckER

TRAINED: Mapping[str, type[Model]] = ChainMap({"pathnet": PathNetwork}, MODELS)
"""The learners that a recipe's `model` may name: models of vectors and the path network."""

LEARNERS: Mapping[str, type[Model] | type[Rules]] = ChainMap(
    {"rules": Rules}, cast("dict[str, type[Model] | type[Rules]]", TRAINED)
)
"""What a member may be, by the name that people give it."""

_MOST_ENTITIES = 1 << 24  # whole numbers that float32 tells apart
_MOST_RELATIONS = 1 << 14  # whose patterns, and facts of as many entities, have 64-bit codes


@dataclass(frozen=True)
class Member:
    """A learner of a mixture, and how much its scores count."""

    learner: str
    settings: Mapping[str, Any]  # the keyword arguments of its class
    weight: float = 1.0


def members(config: Mapping[str, Any]) -> list[Member]:
    """Return the members that a resolved recipe names: its own model is the first."""
    found = [_model(config, weight=1.0)]
    if beside := config.get("beside"):
        found.append(_model(beside, weight=beside["weight"]))
    if rules := config.get("rules"):
        found.append(Member("rules", {}, rules["weight"]))  # what they say comes with the weights
    return found


def build_model(config: Mapping[str, Any], graph: Graph) -> Model:
    """Make the untrained mixture that a config describes, for a graph with reciprocal relations."""
    own, *others = members(config)
    whole = cast("Model", _untrained(own, graph))
    for member in others:
        whole = mixed(whole, _untrained(member, graph), member.weight)
    return whole


def mixed(model: Model, learner: Model | Rules, weight: float) -> Model:
    """Return a model whose scores are φ of a model and, with a weight, those of another learner."""
    if isinstance(learner, Rules):
        return RuleMixture(model, learner, weight=weight)
    return LinearMixture(model, learner, weight=weight)


def check_size(n_e: int, n_r: int) -> None:
    """Refuse a graph that is too large for rules; `n_r` counts reciprocal relations."""
    if n_e > _MOST_ENTITIES or n_r > _MOST_RELATIONS:
        raise SettingsError(
            f"rules: {n_e:,} entities and {n_r // 2:,} relations are too many; at most "
            f"{_MOST_ENTITIES:,} and {_MOST_RELATIONS // 2:,} may be: leave rules out"
        )


def _untrained(member: Member, graph: Graph) -> Model | Rules:
    learner = LEARNERS[member.learner](n_e=graph.n_e, n_r=2 * graph.n_r, **member.settings)
    learner.take_facts(torch.from_numpy(graph.train))
    return learner


def _model(section: Mapping[str, Any], weight: float) -> Member:
    settings = dict(section.get("model") or {})
    name = settings.pop("name", None)
    if name not in TRAINED:
        raise RunError(f"there is no model {name!r}; known are {', '.join(TRAINED)}")
    return Member(name, settings, weight)


class LinearMixture(Trilinear):
    """φ(s, r, o) = φ₁(s, r, o) + λ φ₂(s, r, o): Tucker again, their cores being blocks of its own.

    Rows of E and R are theirs side by side. It is made of trained models, which are copied, and is
    not trained itself.
    """

    def __init__(self, first: Model, second: Model, *, weight: float = 1.0) -> None:
        models = first, second
        for model in models:
            if not isinstance(model, Trilinear):
                name = type(model).__name__
                raise SettingsError(
                    f"{name} is not linear in its embeddings: no second model can be added"
                )
        E, R = (torch.cat([getattr(model, name) for model in models], 1) for name in "ER")
        super().__init__(len(E), len(R), E.shape[1], 0.0, 0.0, batch_norm=False)
        self.E, self.R = nn.Parameter(E.detach()), nn.Parameter(R.detach())
        self.models = nn.ModuleList(map(_without_rows, models))
        self._weights = 1.0, weight
        self.train(first.training)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return both queries side by side, each normalised as its own model says."""
        each = self._each(e_s, w_r)
        return self._joined(model.query(e, model.operators(w), groups) for model, e, w in each)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r of both, side by side."""
        each = self._each(e_s, w_r)
        return self._joined(
            model.without_object(e, model.operators(w), groups) for model, e, w in each
        )

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W ×₂ w_r ×₃ e_o of both, side by side."""
        each = self._each(e_o, w_r)
        return self._joined(
            model.without_subject(model.operators(w), e, groups) for model, e, w in each
        )

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return W ×₁ e_s ×₃ e_o of both, side by side."""
        models, widths = self._models(), self._widths("E")
        each = zip(models, torch.split(e_s, widths, 1), torch.split(e_o, widths, 1), strict=True)
        return self._joined(model.without_relation(s, o) for model, s, o in each)

    def as_tucker(self) -> TuckER:
        """Refuse: one TuckER normalises all of its embeddings or none."""
        raise SettingsError("the sum of two models cannot become one TuckER: convert each of them")

    def _models(self) -> list[Trilinear]:
        return cast("list[Trilinear]", list(self.models))

    def _widths(self, name: str) -> list[int]:
        return [getattr(model, name).shape[1] for model in self._models()]

    def _each(self, e: Tensor, w_r: Tensor) -> Iterator[tuple[Trilinear, Tensor, Tensor]]:
        """Yield each model with its columns of embeddings and of relations."""
        columns = torch.split(e, self._widths("E"), 1), torch.split(w_r, self._widths("R"), 1)
        return zip(self._models(), *columns, strict=True)

    def _joined(self, found: Iterator[Tensor]) -> Tensor:
        """Return what the models gave, each counted with its weight."""
        return torch.cat([weight * x for weight, x in zip(self._weights, found, strict=True)], 1)


def _without_rows(model: Model) -> Model:
    """Copy a model but for E and R, whose rows stand elsewhere: only their widths are left."""
    rows = {id(x): nn.Parameter(x.detach()[:0].clone()) for x in (model.E, model.R)}
    return deepcopy(model, rows)


class RuleMixture(Model):
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
        self.scores_are_queries = model.scores_are_queries
        self._weight = weight
        self._kept = KeptAnswers(rules)
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

    def around(self, model: Model, triples: Tensor) -> RuleMixture:
        """Return another model with the same rules, walking along some facts, (facts, 3)."""
        rules = Rules(n_e=model.n_e, n_r=model.n_r)
        rules.load_state_dict(self.rules.state_dict())
        rules.take_facts(triples)
        return RuleMixture(model, rules, weight=self._weight)

    def take_facts(self, triples: Tensor) -> None:
        """Tell both."""
        self.model.take_facts(triples)
        self.rules.take_facts(triples)
        self._kept = KeptAnswers(self.rules)

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
        for rows, (row, entity, value) in self._kept.ask(s, r):
            here = place[entity] >= 0
            rho = scores.new_zeros(len(ids), len(s[rows]))
            rho[place[entity[here]], row[here]] = value[here].to(scores)
            scores[:, rows] += self._weight * rho[place[ids]]  # an object may be there twice
        return scores

    def score_objects(self, s: Tensor, r: Tensor, entities: Tensor | None = None) -> Tensor:
        """Return φ(s, r, o) of every entity o, (rows, n_e); `entities()` may be given."""
        scores = self.model.score_objects(s, r, entities)
        for rows, (row, entity, value) in self._kept.ask(s, r):
            scores[rows][row, entity] += self._weight * value.to(scores)
        return scores

    def score(self, s: Tensor, r: Tensor, o: Tensor, entities: Tensor | None = None) -> Tensor:
        """Return φ(s, r, o) of each triple, (rows,); `entities()` may be given."""
        scores = self.model.score(s, r, o, entities)
        for rows, (row, entity, value) in self._kept.ask(s, r):
            it = entity == o[rows][row]
            scores[rows][row[it]] += self._weight * value[it].to(scores)
        return scores
