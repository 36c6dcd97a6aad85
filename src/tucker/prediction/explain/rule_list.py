"""The rules of a run, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from tucker.errors import RunError, TuckerError
from tucker.mixture import RuleMixture
from tucker.prediction.explain.explanation import Step
from tucker.runs import FinishedRun


@dataclass(frozen=True)
class Rule:
    """A pattern of paths, and what one path of it says for an answer to a question."""

    question: Step  # from what is given to what is asked for: backwards, that is the subject
    steps: list[Step]  # the relations of the pattern, in order
    weight: float  # of one path; what says the answer is wrong is negative
    more: float  # for each time that there are e times as many

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            **self.question.as_dict(),
            "steps": [step.as_dict() for step in self.steps],
            "weight": self.weight,
            "more": self.more,
        }


@torch.no_grad()
def rules_of(run: FinishedRun, relation: str | None = None, *, k: int = 20) -> list[Rule]:
    """Return the k rules that say most, of all relations or of one and its reciprocal.

    A relation that says the same as another has that one's rules, and is a step under its name.
    """
    if k < 1:
        raise TuckerError(f"k must be at least 1; found {k}")
    if not isinstance(run.model, RuleMixture):
        how = "train with --set rules.weight=1 to learn some"
        raise RunError(f"{run.path or run.graph.name} has no rules: {how}")
    rules, graph = run.model.rules, run.graph
    asked, steps = rules.decoded()
    chosen = torch.ones_like(asked, dtype=torch.bool)
    if relation is not None:
        r = graph.relations.id(relation)
        chosen = torch.isin(asked, rules.same[[r, r + graph.n_r]])
    most = torch.sort(torch.where(chosen, rules.u.abs(), -1.0), descending=True, stable=True)
    places = most.indices[: min(k, int(chosen.sum()))].tolist()
    return [
        Rule(
            Step.of(graph, int(asked[place])),
            [Step.of(graph, step) for step in steps[place].tolist() if step >= 0],
            float(rules.u[place]),
            float(rules.v[place]),
        )
        for place in places
    ]
