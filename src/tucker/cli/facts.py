"""Predicted facts for people, and what their probabilities are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tucker.cli.output import note, print_table

if TYPE_CHECKING:
    from tucker.prediction import Prediction

_PARTS = ("subject", "relation", "object")


def note_calibration(method: str | None) -> None:
    """Say on stderr that probabilities are calibrated; the model's own go without saying."""
    if method:
        note(f"probabilities are calibrated on the validation split ({method})")


def print_facts(title: str, facts: Sequence[Prediction]) -> None:
    """Print facts as a table, labels in the place of names where there are any."""
    rows = [[fact.rank, *named(fact), fact.probability, fact.score] for fact in facts]
    print_table(title, ["rank", *_PARTS, "probability", "score"], rows)


def named(fact: Prediction) -> list[str]:
    """Return the three parts of a fact by label, or else by name."""
    return [fact.labels.get(part, getattr(fact, part)) for part in _PARTS]
