"""Rules learned from the training facts, each hidden while it is looked for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from tucker.errors import TrainingError
from tucker.graph import Answers, Ids
from tucker.graph.implied import equivalent, implications
from tucker.progress import Progress
from tucker.reasoning.edges import Edges
from tucker.reasoning.rules import Reached, Rules
from tucker.reasoning.walks import Paths, paths_from

_SHARE = 0.8  # of the facts of each of two relations: from there on both are one step
_FACTS = 64  # a step of learning
_SEEN = 1 / 8  # of the facts of which another relation tells as much
_MOST_PATHS = 1 << 27  # that are followed to choose rules
_MOST_ENTRIES = 1 << 23  # (entity, rule) to learn from: 200 MB
_EPOCHS = 8
_FEWEST_STEPS = 400  # few facts are learned from more often
_RATE = 0.05
_PENALTY = 1e-6  # of the squares of all weights
_WALK = 4  # lessons that take as long as to walk from the facts of one


class RulesSettings(BaseModel):
    """Which rules to learn, and how much they count."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    most: int = Field(
        20_000, ge=1, description="The most rules to learn: those that find most facts."
    )
    facts: int = Field(40_000, ge=1, description="How many training facts to learn from.")
    weight: float = Field(
        1.0,
        gt=0,
        allow_inf_nan=False,
        description="λ: how much the rules' score ρ counts in φ + λ ρ.",
    )


def learn_rules(
    train: Ids,
    n_e: int,
    n_r: int,
    settings: RulesSettings,
    *,
    seed: int,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Rules:
    """Learn what patterns of paths say about answers, by a softmax over all entities.

    Each fact drawn is hidden, and with it all that says the same; but of one in eight what says the
    same is seen, so that it is learned as well what a known inverse is worth.
    """
    rules = Rules(n_e=n_e, n_r=2 * n_r)
    found = implications(Answers.of(train, n_e, n_r), _SHARE)
    rules.same = torch.from_numpy(equivalent(found, 2 * n_r))
    rules.take_facts(torch.from_numpy(train))
    random = torch.Generator().manual_seed(seed)
    facts = _draw(rules, settings.facts, random)
    shown = _Shown(report, math.log(n_e))
    codes, facts = _fruitful(rules, facts, settings.most, shown)
    rules.take(codes)
    _fit(rules, _lessons(rules, facts, shown), random, shown)
    return rules.requires_grad_(False)


@dataclass(frozen=True, eq=False)
class _HiddenFacts:
    """Facts to be found again, and the edge that is hidden while each is looked for."""

    s: Ids
    step: Ids  # the relation, as the one that stands for it
    o: Ids
    hidden: Ids  # `step`, or -1 where nothing is hidden

    def paths(self, edges: Edges) -> Paths:
        """Return the paths from each subject, without those to other answers that are known."""
        paths = paths_from(edges, self.s, (self.hidden, self.o))
        row, target = paths.row, paths.target
        other = edges.has(self.s[row], self.step[row], target) & (target != self.o[row])
        return paths.take(~other)


@dataclass(frozen=True, eq=False)
class _Lesson:
    """What is reached from the subjects of some facts, and which of it is true."""

    found: Reached
    true: Tensor  # (entities,)

    def loss(self, rules: Rules) -> Tensor:
        """Return the mean of -log p of the answers, by a softmax over all entities.

        ρ is 0 of one that is not reached; what is known already counts as if it were not.
        """
        rho, row = rules.weigh(self.found), self.found.row.long()
        facts = len(self.found.relation)
        others = rules.n_e - torch.bincount(row, minlength=facts)
        most = rho.new_zeros(facts).scatter_reduce(0, row, rho.detach(), "amax")
        total = (others * torch.exp(-most)).index_add(0, row, torch.exp(rho - most[row]))
        return (most.sum() + total.log().sum() - (rho * self.true).sum()) / facts


def _draw(rules: Rules, count: int, random: torch.Generator) -> list[_HiddenFacts]:
    """Draw facts, their reciprocals among them, for each step of learning."""
    edges = rules.edges
    chosen = torch.randperm(len(edges.target), generator=random)[:count].numpy()
    step = edges.step[chosen]
    seen = (torch.rand(len(chosen), generator=random) < _SEEN).numpy()
    seen &= np.bincount(rules.same)[step] > 1
    columns = edges.source[chosen], step, edges.target[chosen], np.where(seen, -1, step)
    parts = [slice(first, first + _FACTS) for first in range(0, len(chosen), _FACTS)]
    return [_HiddenFacts(*(column[part] for column in columns)) for part in parts]


def _fruitful(
    rules: Rules, facts: list[_HiddenFacts], most: int, shown: _Shown
) -> tuple[Tensor, list[_HiddenFacts]]:
    """Return the codes of those rules that find most facts, ascending, and the facts looked at."""
    codes = [torch.empty(0, dtype=torch.long)]
    followed = 0
    shown.expect(len(facts) * (2 * _WALK + _epochs(len(facts))))
    for some in facts:
        paths = some.paths(rules.edges)
        followed += len(paths.row)
        if followed > _MOST_PATHS and len(codes) > 1:
            break
        paths = paths.take(paths.target == some.o[paths.row])
        code = rules.code(some.step[paths.row], paths.pattern)
        pairs = torch.from_numpy(np.stack([code, paths.row]))
        codes.append(torch.unique(pairs, dim=1)[0])
        shown.more(_WALK)
    code, count = torch.unique(torch.cat(codes), return_counts=True)
    found_most = torch.topk(count, min(most, len(count))).indices
    return torch.sort(code[found_most]).values, facts[: len(codes) - 1]


def _lessons(rules: Rules, facts: list[_HiddenFacts], shown: _Shown) -> list[_Lesson]:
    """Make lessons of facts, as many as there may be."""
    lessons: list[_Lesson] = []
    entries = 0
    shown.expect(len(facts) * (_WALK + _epochs(len(facts))))
    for some in facts:
        shown.more(_WALK)
        found = rules.reached(some.step, some.paths(rules.edges))
        entries += len(found.of)
        if entries > _MOST_ENTRIES and lessons:
            break
        lessons.append(_lesson(some, found))
    return lessons


def _lesson(facts: _HiddenFacts, found: Reached) -> _Lesson:
    """Make a lesson in little memory; a fact that is hidden does not count where it is about."""
    o, of_fact = (torch.from_numpy(column)[found.row] for column in (facts.o, facts.hidden))
    true = found.entity == o
    hidden = (true & (of_fact >= 0)).long()
    found = replace(found, degree=found.degree - hidden, answers=found.answers - hidden)
    columns = {name: value.int() for name, value in vars(found).items()}
    return _Lesson(Reached(**columns), true)


def _fit(rules: Rules, lessons: list[_Lesson], random: torch.Generator, shown: _Shown) -> None:
    optimiser = torch.optim.Adam(rules.parameters())
    shown.epochs = _epochs(len(lessons))
    shown.expect(len(lessons) * shown.epochs)
    for epoch in range(shown.epochs):
        optimiser.param_groups[0]["lr"] = _RATE * (1 - epoch / shown.epochs)
        total = 0.0
        for number, place in enumerate(torch.randperm(len(lessons), generator=random), start=1):
            loss = lessons[place].loss(rules)
            if not torch.isfinite(loss):
                raise TrainingError(
                    "the rules' weights are no longer finite: try a smaller rules.most"
                )
            total += float(loss.detach())
            squares = torch.stack([weights.square().sum() for weights in rules.parameters()])
            optimiser.zero_grad()
            (loss + _PENALTY * squares.sum()).backward()
            optimiser.step()
            shown.loss, shown.epoch = total / number, epoch + 1
            shown.more(1)


def _epochs(lessons: int) -> int:
    return max(_EPOCHS, -(-_FEWEST_STEPS // max(1, lessons)))


class _Shown:
    """Tells how far learning is; before it begins, the loss is that of rules that say nothing."""

    def __init__(self, report: Callable[[Progress], None], loss: float) -> None:
        self._report = report
        self._start = time.perf_counter()
        self._done = self._all = 0
        self.loss = loss
        self.epoch, self.epochs = 0, _EPOCHS

    def expect(self, lessons: int) -> None:
        """Say how much work is left, in lessons."""
        self._all = self._done + lessons

    def more(self, lessons: int) -> None:
        """Count work that is done, in lessons."""
        self._done += lessons
        done = self._done / self._all
        seconds = max(time.perf_counter() - self._start, 1e-9)
        self._report(
            Progress(
                epoch=self.epoch,
                epochs=self.epochs,
                done=done,
                loss=self.loss,
                best_mrr=None,
                pairs_per_second=self._done * _FACTS / seconds,
                seconds_left=seconds / done - seconds,
                stage="rules",
            )
        )
