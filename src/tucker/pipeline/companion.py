"""A model that was trained before another, to stand beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tucker.mixture import mixed
from tucker.models import Model
from tucker.training import Entry, Training


@dataclass(frozen=True, eq=False)
class Companion:
    """The first of two models whose scores are added up, and how much its own counts."""

    model: Model
    journal: list[Entry]
    weight: float

    def beside(self, model: Model) -> Model:
        """Return the mixture of both."""
        return mixed(model, self.model, self.weight)

    def before(self, journal: list[Entry]) -> list[Entry]:
        """Return the journals of both: the second's epochs and seconds go on where this ended."""
        last = self.journal[-1]
        shifts = {key: last[key] for key in ("epoch", "seconds")}
        first = [{**entry, "beside": True} for entry in self.journal]
        return first + [
            {**entry, **{key: entry[key] + shift for key, shift in shifts.items()}}
            for entry in journal
        ]

    def and_then(self, training: Training) -> Training:
        """Return what both trainings say about themselves; pairs a second are the second's."""
        journal = self.before(training.journal)
        return replace(
            training,
            journal=journal,
            epochs=len(journal),
            best_epoch=len(self.journal) + training.best_epoch,
            seconds=journal[-1]["seconds"],
        )


def own_entries(journal: list[Entry]) -> list[Entry]:
    """Return what a journal says of a run's own model, not of the one trained before it."""
    return [entry for entry in journal if "beside" not in entry]
