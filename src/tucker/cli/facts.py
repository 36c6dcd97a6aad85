"""Predicted facts for people, and what their probabilities are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tucker.cli.output import note, print_table

if TYPE_CHECKING:
    from tucker.api import Prediction, Run

_PARTS = ("subject", "relation", "object")


NOT_FITTED = (
    "probabilities of facts by themselves are not calibrated, and rather too low: too few "
    "validation facts were among those discovered, or an older version calibrated the run"
)


def note_answers(run: Run) -> None:
    """Say on stderr that answers' probabilities are calibrated, or how to calibrate them."""
    if run.calibration:
        note(
            f"probabilities are calibrated ({run.calibration}): how often such an answer is right "
            "if the question has a missing answer"
        )
    else:
        _note_own(run)


def note_facts(run: Run) -> None:
    """Say on stderr that the probabilities of facts by themselves are calibrated, or why not."""
    if run.calibration and run.facts_calibrated:
        note(
            f"probabilities are calibrated ({run.calibration}): how often such a fact is right if "
            "the graph lacks about as many facts as were held out for validation"
        )
    elif run.calibration:
        note(NOT_FITTED)
    else:
        _note_own(run)


def _note_own(run: Run) -> None:
    note(
        "probabilities are the model's own and not calibrated; calibrate them with: "
        f"tucker calibrate {run.path}"
    )


def print_facts(title: str, facts: Sequence[Prediction]) -> None:
    """Print facts as a table, labels in the place of names where there are any."""
    rows = [[fact.rank, *named(fact), fact.probability, fact.score] for fact in facts]
    print_table(title, ["rank", *_PARTS, "probability", "score"], rows)


def named(fact: Prediction) -> list[str]:
    """Return the three parts of a fact by label, or else by name."""
    return [fact.labels.get(part, getattr(fact, part)) for part in _PARTS]
