"""Why a fact may hold: known facts like it, and paths whose pattern goes with its relation."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from tucker.errors import TuckerError
from tucker.graph import SPLITS, Graph, Split
from tucker.prediction.explain.explanation import (
    Explanation,
    FactReason,
    PathReason,
    Step,
    labels_of,
)
from tucker.prediction.explain.similar_facts import facts_alike
from tucker.reasoning.edges import Edges
from tucker.reasoning.patterns import PatternCount, count_pattern
from tucker.reasoning.walks import PatternBetween, paths_between
from tucker.runs import FinishedRun

_MOST_PATTERNS = 256  # of those between two entities, the ones with the fewest targets a step
_GLANCE = 1 << 14  # steps of a first, quick count that says which patterns are worth a full one
_FULL_COUNTS = 4  # full counts for each pattern that is asked for
_LEAST_SUPPORT = 2  # pairs: one alone is no pattern


class Explainer:
    """Gives the reasons of facts; it keeps an index of the training facts and the vectors."""

    def __init__(self, run: FinishedRun) -> None:
        self._run = run

    @cached_property
    def _edges(self) -> Edges:
        graph = self._run.graph
        return Edges.of(graph.train, graph.n_e, graph.n_r)

    @cached_property
    def _entities(self) -> Tensor:
        with torch.no_grad():  # some models walk the whole graph for them
            return self._run.model.entities()

    def explain(self, subject: str, relation: str, object: str, *, k: int = 5) -> Explanation:
        """Return up to k known facts most like a fact, and up to k patterns of paths.

        Everything is counted from the training facts without the fact itself.
        """
        if k < 1:
            raise TuckerError(f"k must be at least 1; found {k}")
        graph = self._run.graph
        s, r, o = (
            graph.entities.id(subject),
            graph.relations.id(relation),
            graph.entities.id(object),
        )
        facts, compared, of_facts = facts_alike(self._run, self._entities, s, r, o, k)
        notes = []
        if compared < of_facts:
            notes.append(
                f"compared with {compared:,} facts drawn from the {of_facts:,} of the relation"
            )
        paths, about_paths = self._paths(s, r, o, k)
        reasons = [FactReason.of(graph, fact) for fact in facts]
        names = (graph.entities.name(s), graph.relations.name(r), graph.entities.name(o))
        labels = labels_of(graph, names, reasons, paths)
        notes += about_paths
        notes += [path.note(labels) for path in paths if path.count.sampled]
        with torch.no_grad():
            fact = torch.tensor([[s], [r], [o]])
            score = self._run.model.score(fact[0], fact[1], fact[2], self._entities)
        return Explanation(
            *names,
            score=float(score),
            known=_known(graph, s, r, o),
            facts=reasons,
            paths=paths,
            notes=notes,
            labels=labels,
        )

    def _paths(self, s: int, r: int, o: int, k: int) -> tuple[list[PathReason], list[str]]:
        edges = self._edges.without(s, r, o)
        found = paths_between(edges, s, o, without=r)
        spread = np.log(np.maximum(edges.fan_out, 1))
        patterns = sorted(found.patterns, key=lambda one: float(spread[list(one.steps)].sum()))
        glances = [
            (count_pattern(edges, one.steps, r, (s, o), _GLANCE), one)
            for one in patterns[:_MOST_PATTERNS]
        ]
        glances.sort(key=lambda glance: -glance[0].weight)
        counted: list[tuple[PatternCount, PatternBetween]] = [
            (count_pattern(edges, one.steps, r, (s, o)) if glance.sampled else glance, one)
            for glance, one in glances[: _FULL_COUNTS * k]
        ]
        counted = [pair for pair in counted if pair[0].support >= _LEAST_SUPPORT]
        counted.sort(key=lambda pair: -pair[0].weight)
        notes = []
        if not found.complete:
            notes.append("paths through the busiest neighbours were passed over")
        if len(patterns) > _MOST_PATTERNS:
            notes.append(
                f"of {len(patterns):,} patterns that join the two, the {_MOST_PATTERNS:,} with the "
                "fewest targets a step were counted"
            )
        different = {  # a symmetric relation walked either way says the same
            (one.via, tuple(step % edges.n_r for step in one.steps), count): one
            for count, one in reversed(counted)
        }
        best = list(reversed(different.items()))[:k]
        return [self._named(one, key[2], s, o) for key, one in best], notes

    def _named(self, found: PatternBetween, count: PatternCount, s: int, o: int) -> PathReason:
        graph = self._run.graph
        return PathReason(
            steps=[Step.of(graph, step) for step in found.steps],
            entities=[graph.entities.name(id) for id in (s, *found.via, o)],
            paths=found.paths,
            count=count,
        )


def _known(graph: Graph, s: int, r: int, o: int) -> Split | None:
    """Return the split that has a fact, if any."""
    has = (split for split in SPLITS if (graph.split(split) == (s, r, o)).all(axis=1).any())
    return next(has, None)
