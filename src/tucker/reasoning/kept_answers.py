"""What rules said to some questions, kept for when these are asked again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from tucker.graph.answers import spans
from tucker.reasoning.rules import Rules, find

_QUESTIONS = 256  # answered at once
_WALKED = 64  # whose paths are followed at once
_MOST_KEPT = 1 << 18  # questions asked before, and values of ρ

Values = tuple[Tensor, Tensor, Tensor]
"""What is said to some questions, flat: the row of each value, its entity, and the value."""


class KeptAnswers:
    """Asks rules, and keeps what they said; new facts to walk along need a new one."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._kept = _Said.nothing()

    def ask(self, s: Tensor, r: Tensor) -> Iterator[tuple[slice, Values]]:
        """Yield what the rules say to some questions at a time."""
        questions = r * self._rules.n_e + s
        for first in range(0, len(questions), _QUESTIONS):
            rows = slice(first, first + _QUESTIONS)
            yield rows, self._answers(questions[rows])

    def _answers(self, questions: Tensor) -> Values:
        kept = self._kept
        _, there = find(kept.questions, questions)
        if not there.all():
            kept = kept.and_(self._follow(torch.unique(questions[~there])))
            if len(kept) > _MOST_KEPT:
                kept = self._follow(torch.unique(questions))
            self._kept = kept  # at once: others may be asking
        return kept.find(questions)

    def _follow(self, questions: Tensor) -> _Said:
        """Ask the rules some questions, ascending."""
        n_e, parts = self._rules.n_e, []
        for some in torch.split(questions, _WALKED):
            row, entity, value = self._rules(some % n_e, some // n_e)
            parts.append((torch.bincount(row, minlength=len(some)), entity, value))
        count, entity, value = map(torch.cat, zip(*parts, strict=True))
        return _Said(questions, count, entity, value)


@dataclass(frozen=True, eq=False)
class _Said:
    """Questions, and what was said to them."""

    questions: Tensor  # (questions,) ascending
    count: Tensor  # (questions,) how many values each has
    entity: Tensor  # (values,) by question
    value: Tensor  # (values,)

    @classmethod
    def nothing(cls) -> _Said:
        none = torch.empty(0, dtype=torch.long)
        return cls(none, none, none, torch.empty(0))

    def __len__(self) -> int:
        return len(self.questions) + len(self.value)

    def and_(self, more: _Said) -> _Said:
        """Put other questions among these."""
        questions = torch.cat([self.questions, more.questions])
        both = _Said(
            questions,
            torch.cat([self.count, more.count]),
            torch.cat([self.entity, more.entity]),
            torch.cat([self.value, more.value]),
        )
        order = torch.argsort(questions)
        _, entity, value = both._of(order)
        return _Said(questions[order], both.count[order], entity, value)

    def find(self, questions: Tensor) -> Values:
        """Return what was said to some of the questions."""
        return self._of(torch.searchsorted(self.questions, questions))

    def _of(self, places: Tensor) -> Values:
        start = self.count.cumsum(0) - self.count
        row, at = map(torch.from_numpy, spans(self.count[places].numpy(), start[places].numpy()))
        return row, self.entity[at], self.value[at]
