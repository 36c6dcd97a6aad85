"""A model that was trained before another, to stand beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tucker.models import Model, Sum
from tucker.runs import SavedRun
from tucker.training import Entry, Training


@dataclass(frozen=True, eq=False)
class Companion:
    """The first of two models whose scores are added up, and how much its own counts."""

    run: SavedRun
    weight: float

    def beside(self, model: Model) -> Model:
        """Return the sum of both."""
        return Sum(model, self.run.model, weight=self.weight)

    def before(self, journal: list[Entry]) -> list[Entry]:
        """Return the journals of both: the second's epochs and seconds go on where this ended."""
        last = self.run.journal[-1]
        shifts = {key: last[key] for key in ("epoch", "seconds")}
        own = [{**entry, "beside": True} for entry in self.run.journal]
        return own + [
            {**entry, **{key: entry[key] + shift for key, shift in shifts.items()}}
            for entry in journal
        ]

    def and_then(self, training: Training) -> Training:
        """Return what both trainings say about themselves."""
        journal = self.before(training.journal)
        return replace(
            training,
            journal=journal,
            epochs=len(journal),
            best_epoch=len(self.run.journal) + training.best_epoch,
            seconds=journal[-1]["seconds"],
        )
