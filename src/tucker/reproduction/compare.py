"""A table that others report beside what was measured here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from tucker.errors import ResultError
from tucker.graph.datasets.find import dataset_name
from tucker.mixture import TRAINED
from tucker.pipeline.recipe import Recipe, same_settings
from tucker.reproduction.published import FIGURES, Table
from tucker.reproduction.results import Result
from tucker.reproduction.today import TODAY, protocol


@dataclass(frozen=True)
class Measured:
    """What a recipe reached on the test split, over its seeds; nothing if it has no results."""

    recipe: str  # its name
    model: str  # its name
    dataset: str  # its name
    results: tuple[Result, ...]  # one a seed
    beside: str | None = None  # the model whose score is added to its own
    rules: bool = False  # whether those of rules are

    @property
    def title(self) -> str:
        """The names of all whose scores add up, as the paper writes them."""
        names = [self.model, *([self.beside] if self.beside else [])]
        known = [TRAINED[name].__name__ if name in TRAINED else name for name in names]
        return " + ".join([*known, *(["rules"] if self.rules else [])])

    @property
    def seeds(self) -> list[int]:
        """The seeds it was trained with."""
        return [result.seed for result in self.results]

    def mean(self, figure: str) -> float | None:
        """Return the mean of a figure over the seeds."""
        return fmean(self._all(figure)) if self.results else None

    def spread(self, figure: str) -> float | None:
        """Return the standard deviation of a figure over the seeds, if there are several."""
        return stdev(self._all(figure)) if len(self.results) > 1 else None

    @property
    def minutes(self) -> float | None:
        """The mean time of a training."""
        return fmean(result.seconds for result in self.results) / 60 if self.results else None

    @property
    def parameters(self) -> int | None:
        """How many numbers the model learns."""
        return self.results[0].parameters if self.results else None

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker reproduce --json` prints."""
        return {
            "model": self.model,
            **({"beside": self.beside} if self.beside else {}),
            **({"rules": True} if self.rules else {}),
            "recipe": self.recipe,
            "seeds": self.seeds,
            **{figure: self.mean(figure) for figure in FIGURES},
            "spread": {figure: self.spread(figure) for figure in FIGURES},
            "minutes": self.minutes,
            "parameters": self.parameters,
        }

    def _all(self, figure: str) -> list[float]:
        return [getattr(result.test, figure) for result in self.results]


@dataclass(frozen=True)
class Comparison:
    """A table of others, and the recipes measured on its datasets."""

    table: Table  # what others report
    measured: list[Measured]  # what was measured here, by recipe and dataset

    @property
    def results(self) -> list[Result]:
        """Every result that takes part."""
        return [result for one in self.measured for result in one.results]

    def on(self, dataset: str) -> list[Measured]:
        """Return what was measured on a dataset."""
        return [one for one in self.measured if one.dataset == dataset]

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker reproduce --json` prints."""
        return {
            "table": self.table.name,
            "source": self.table.source,
            "datasets": [
                {
                    "dataset": dataset,
                    "published": [
                        {**row.as_dict(), "protocol": protocol(row.model)} for row in rows
                    ],
                    "measured": [one.as_dict() for one in self.on(dataset)],
                    "today": [one.as_dict() for one in TODAY.get(dataset, ())],
                }
                for dataset, rows in self.table.rows.items()
            ],
        }


def compare(table: Table, results: Iterable[Result], recipes: dict[str, Recipe]) -> Comparison:
    """Put results beside a table; the recipes have a place in it also without any."""
    rows = {}
    for name, recipe in recipes.items():
        dataset = dataset_name(recipe.graph) or recipe.graph
        beside = recipe.beside.model["name"] if recipe.beside else None
        more = (beside, recipe.rules is not None)
        rows[dataset, name] = Measured(name, recipe.model["name"], dataset, (), *more)
    found: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if result.dataset not in table.rows:
            here = f"{table.title} is of {' and '.join(table.datasets)}"
            raise ResultError(f"a result of {result.recipe} is of {result.dataset}, but {here}")
        found.setdefault((result.dataset, result.recipe), []).append(result)
    for (dataset, name), group in found.items():
        group.sort(key=lambda result: result.seed)
        _check(name, group)
        beside = group[0].config.get("beside")
        more = (beside["model"]["name"] if beside else None, bool(group[0].config.get("rules")))
        rows[dataset, name] = Measured(name, group[0].model, dataset, tuple(group), *more)
    return Comparison(table, [rows[key] for key in sorted(rows)])


def _check(recipe: str, group: Sequence[Result]) -> None:
    """Refuse to average what does not belong together."""
    seeds = [result.seed for result in group]
    if len(set(seeds)) < len(seeds):
        raise ResultError(f"{recipe} has two results of one seed: remove one of them")
    first = group[0].config | {"seed": 0}
    if not all(same_settings(result.config | {"seed": 0}, first) for result in group):
        raise ResultError(f"the results of {recipe} differ in their settings: remove the old ones")
