"""New entities without retraining: embeddings solved for, everything else fixed."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.errors import RunError, TuckerError
from tucker.graph import Answers, Graph, Ids, with_reciprocals
from tucker.graph.extend import extend_graph, extends
from tucker.mixture import RuleMixture, build_model
from tucker.models import Model
from tucker.runs import FinishedRun

PRIOR = 0.1  # how strongly an embedding is held to where the trained ones lie
_OTHER_QUESTIONS = 1024  # drawn from training, which the new entity does not answer
_STEPS = 60


def fold_in(
    run: FinishedRun, facts: pl.DataFrame | Iterable[tuple[str, str, str]], *, prior: float = PRIOR
) -> FinishedRun:
    """Return a run, in memory, whose graph has more facts; new names get embeddings.

    The embedding of a new entity is the one that suits its own facts best under the run's loss;
    no other number changes. Probabilities are to be calibrated anew.
    """
    if not isinstance(facts, pl.DataFrame):
        schema = dict.fromkeys(("subject", "relation", "object"), pl.String)
        facts = pl.DataFrame(list(facts), schema, orient="row")
    return on_graph(run, extend_graph(run.graph, facts), prior=prior)


def on_graph(run: FinishedRun, graph: Graph, *, prior: float = PRIOR) -> FinishedRun:
    """Return a run, in memory, on a graph that extends its own; new entities are folded in."""
    before = run.graph.n_e
    if not extends(graph, run.graph):
        raise RunError(f"the graph {graph.name} does not contain all of the run's graph")
    embedding = run.model.embedding
    computed = type(embedding).entities is not Model.entities and embedding.knows_entities
    if computed and graph.n_e > before:
        name = type(embedding).__name__
        raise RunError(f"{name} cannot fold in new entities, it needs the whole graph: train anew")
    if not embedding.knows_entities:
        model = _walking(embedding, graph)
    else:
        model = _enlarged(embedding, run.config, graph)
    if graph.n_e > before and embedding.knows_entities:
        loss = run.config["training"]["loss"]
        solver = Solver(model, graph, loss, trained=before, prior=prior)
        for entity, own in _in_order(graph, before):
            solver.solve(entity, own)
    if isinstance(run.model, RuleMixture):
        model = run.model.around(model, torch.from_numpy(graph.train))
    return replace(run, path=None, graph=graph, model=model, calibration=None)


def _walking(smaller: Model, graph: Graph) -> Model:
    """Return the same model on another graph: of an entity it knows nothing but its edges."""
    model = deepcopy(smaller)
    model.n_e = graph.n_e
    model.take_facts(torch.from_numpy(graph.train))
    return model


@torch.no_grad()
def _enlarged(smaller: Model, config: dict[str, Any], graph: Graph) -> Model:
    """Make the model of the larger graph; what it has beyond the old one is the mean over rows."""
    model = build_model({**config, "rules": None}, graph).to(smaller.E)
    old = smaller.state_dict()
    model.load_state_dict(
        {
            name: _grown(old[name], len(new)) if new.dim() else old[name]
            for name, new in model.state_dict().items()
        }
    )
    return model.eval()


def _grown(rows: Tensor, count: int) -> Tensor:
    if count == len(rows):
        return rows
    return torch.cat([rows, rows.mean(0, keepdim=True).expand(count - len(rows), *rows.shape[1:])])


def _in_order(graph: Graph, before: int) -> list[tuple[int, Ids]]:
    """Return the new entities, each with its facts (it, relation, other) about those before it.

    One that is joined to trained entities comes before one joined to new ones alone.
    """
    edges = with_reciprocals(graph.train, graph.n_r)
    edges = edges[edges[:, 0] >= before]
    placed = np.arange(graph.n_e) < before
    order = []
    while not placed.all():
        usable = edges[placed[edges[:, 2]] & ~placed[edges[:, 0]]]
        if not len(usable):
            name = graph.entities.name(int(np.flatnonzero(~placed)[0]))
            raise TuckerError(f"no fact joins the new entity {name!r} to an entity of the run")
        for entity in np.unique(usable[:, 0]).tolist():
            order.append((entity, usable[usable[:, 0] == entity]))
            placed[entity] = True
    return order


class Solver:
    """Minimises the loss of an entity's facts by its own row of E, with L-BFGS.

    As a subject, it asks about its relations, and every entity is an answer or none. As an object,
    it answers the questions of its facts and none of those drawn from training, which stand for all
    of them. The trained rows, as a Gaussian in each coordinate, are the prior.
    """

    def __init__(
        self, model: Model, graph: Graph, loss: str, *, trained: int, prior: float
    ) -> None:
        self._model = model
        self._softmax = loss == "softmax"
        self._prior = prior
        rows = model.E.detach()[:trained]
        self._mean, self._spread = rows.mean(0), rows.std(0).clamp_min(1e-6)
        with torch.no_grad():
            self._objects = model.objects(model.E).clone()
        pairs = Answers.of(
            graph.train[(graph.train[:, [0, 2]] < trained).all(1)], graph.n_e, graph.n_r
        )
        drawn = np.random.default_rng(0).permutation(len(pairs))[:_OTHER_QUESTIONS]
        self._weight = len(pairs) / max(1, len(drawn))
        self._others = self._questions(pairs.subjects[drawn], pairs.relations[drawn])

    def solve(self, entity: int, facts: Ids) -> None:
        """Set the row of an entity, from its facts (it, relation, other), reciprocals included."""
        asked, row = torch.unique(torch.from_numpy(facts[:, 1]), return_inverse=True)
        other = torch.from_numpy(facts[:, 2])
        half = self._model.n_r // 2
        answered = self._questions(facts[:, 2], (facts[:, 1] + half) % self._model.n_r)
        with torch.no_grad():
            relations = self._model.relations(asked)
        rest = self._objects[entity, len(self._mean) :]  # a bias, where the model has one
        u = torch.zeros_like(self._mean).requires_grad_()  # in units of the trained rows' spread
        optimiser = torch.optim.LBFGS([u], max_iter=_STEPS, line_search_fn="strong_wolfe")

        def closure() -> Tensor:
            optimiser.zero_grad()
            e = self._mean + self._spread * u
            e_s = e.expand(len(asked), -1)
            q = self._model.query(e_s, relations.operators, relations.groups)
            as_object = torch.cat([e, rest])[None]
            loss = self._as_subject(q, row, other) + self._as_object(as_object, answered)
            loss = loss + self._prior / 2 * u.square().sum()
            loss.backward()  # type: ignore[no-untyped-call]
            return loss

        with torch.enable_grad():
            optimiser.step(closure)  # type: ignore[no-untyped-call]
        with torch.no_grad():
            e = self._mean + self._spread * u
            self._model.E[entity] = e
            self._objects[entity] = torch.cat([e, rest])

    def _as_subject(self, q: Tensor, row: Tensor, other: Tensor) -> Tensor:
        z = self._model.meet(q, self._objects)  # (n_e, rows)
        if self._softmax:
            return -F.log_softmax(z, dim=0)[other, row].sum()
        return F.softplus(z).sum() - z[other, row].sum()

    def _as_object(self, e: Tensor, answered: tuple[Tensor, Tensor]) -> Tensor:
        """Return the loss of answering questions, and of not answering the others.

        An object of score z has the odds exp(z − c) of being the answer: c is 0 for the Bernoulli
        loss, and the logarithm of what all others add up to for the softmax.
        """
        (q, c), (others, c_others) = answered, self._others
        yes, no = self._model.meet(q, e)[0] - c, self._model.meet(others, e)[0] - c_others
        return F.softplus(-yes).sum() + self._weight * F.softplus(no).sum()

    @torch.no_grad()
    def _questions(self, s: Ids, r: Ids) -> tuple[Tensor, Tensor]:
        """Return the queries of some questions, and what an answer's odds are counted against."""
        q = self._model.queries(torch.from_numpy(s), torch.from_numpy(r), entities=self._model.E)
        if not self._softmax:
            return q, q.new_zeros(len(q))
        parts = [
            torch.logsumexp(self._model.meet(part, self._objects), 0) for part in torch.split(q, 64)
        ]
        return q, torch.cat(parts)
