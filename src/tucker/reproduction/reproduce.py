"""Reproduction of tables: recipes trained with several seeds, each tested once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tucker.errors import ResultError, RunError, SettingsError
from tucker.evaluation import evaluate
from tucker.graph import load_graph
from tucker.graph.datasets.find import dataset_name
from tucker.pipeline.job import watched
from tucker.pipeline.machine import commit, forget_peak_memory, machine
from tucker.pipeline.plots import check_picture, draw_curves
from tucker.pipeline.recipe import Recipe, make_recipe, same_settings
from tucker.pipeline.shipped import find_recipe, load_recipe, recipe_name, recipe_names
from tucker.pipeline.train import train
from tucker.progress import Progress
from tucker.reproduction import figure4
from tucker.reproduction.compare import Comparison, compare
from tucker.reproduction.curves import load_yardsticks, result_curve
from tucker.reproduction.family import family_table
from tucker.reproduction.published import TABLES, Table
from tucker.reproduction.results import (
    Result,
    load_result,
    load_results,
    make_result,
    write_result,
)
from tucker.runs import RunFolder, load_run

TableName = Literal["table3", "table4", "figure4", "family"]

_QUICK = ("fast/", "family/", "rows/", "figure4/")


def reproduce(
    table: TableName,
    *,
    train: bool = False,
    recipes: Iterable[str] = (),
    seeds: Iterable[int] = (),
    results: Path | str = "results",
    runs: Path | str = "runs",
    plot: Path | str | None = None,
    progress: bool = True,
) -> Comparison:
    """Put a table of the paper, or of a peer, beside what the recipes reached here.

    `train` trains and tests what is not measured yet: of the recipes named, or of the quick ones,
    with the seeds given, or with seed 0. Results stand in `results`, runs in `runs`; a training
    that was stopped goes on with the same call. `plot` draws the learning curves, or Figure 4, into
    a file.

    >>> tucker.reproduce("table3").on("WN18RR")
    >>> tucker.reproduce("table3", train=True, recipes=["fast/wn18rr"], seeds=[0, 1])
    """
    named, of_seeds, results = list(recipes), sorted({*seeds}), Path(results)
    reported = _reported(table, results)
    wanted = table_recipes(reported, named)
    if plot:
        check_picture(Path(plot))
        yardsticks = load_yardsticks(results / "benchmarks")
    if train:
        chosen = wanted if named else quick_recipes(reported, wanted)
        for attempt in plan(chosen, of_seeds or [0], results=results / table, runs=Path(runs)):
            _measured(attempt, progress)
    found = chosen_results(results / table, recipes=wanted if named else (), seeds=of_seeds)
    comparison = compare(reported, found, wanted)
    if plot:
        if not comparison.results:
            raise ResultError(f"{plot}: there is nothing measured to draw")
        if table == "figure4":
            figure4.draw(Path(plot), comparison)
        else:
            found_curves = map(result_curve, comparison.results)
            curves = [curve for curve in found_curves if len(curve.mrr) > 1]  # a point is no curve
            draw_curves(Path(plot), reported.datasets, [*curves, *yardsticks])
    return comparison


def _reported(table: TableName, results: Path) -> Table:
    if table == "family":
        return family_table(results / "benchmarks" / "family-peers.json")
    return figure4.TABLE if table == "figure4" else TABLES[table]


def _measured(attempt: Attempt, progress: bool) -> None:
    """Measure an attempt, with a bar and what is written where, if that is wanted."""
    with watched(RunFolder(attempt.run), progress) as bar:
        if bar:
            bar.note(f"{attempt.name}, seed {attempt.recipe.seed}, in {attempt.run}")
        measure(attempt, report=bar)
        if bar:
            bar.note(f"wrote {attempt.result}")


@dataclass(frozen=True)
class Attempt:
    """A recipe with one seed: where its run and its result have their place."""

    name: str
    recipe: Recipe
    run: Path
    result: Path

    @property
    def config(self) -> dict[str, Any]:
        """Everything that decides the run."""
        return self.recipe.model_dump(mode="json")


def table_recipes(table: Table, names: Iterable[str] = ()) -> dict[str, Recipe]:
    """Return recipes by name: those asked for, or all shipped ones of the table's datasets."""
    asked = list(names)
    recipes = {}
    shipped = [name for name in recipe_names() if _is_of(table, name)]
    for path in map(find_recipe, asked or shipped):
        recipe = load_recipe(path)
        if dataset_name(recipe.graph) in table.datasets:
            recipes[recipe_name(path)] = recipe
        elif asked:
            here = f"{table.title} is of {' and '.join(table.datasets)}"
            raise SettingsError(f"{recipe_name(path)} is a recipe for {recipe.graph}, but {here}")
    return recipes


def _is_of(table: Table, name: str) -> bool:
    """Say whether a shipped recipe is made for a table: those of a figure are for that alone."""
    figure = table.name.startswith("figure")
    return name.startswith(f"{table.name}/") if figure else not name.startswith("figure")


def quick_recipes(table: Table, recipes: dict[str, Recipe]) -> dict[str, Recipe]:
    """Return those recipes that are made to be trained in little time."""
    quick = {name: recipe for name, recipe in recipes.items() if name.startswith(_QUICK)}
    if not quick:
        raise SettingsError(f"there is no fast recipe for {table.title}; name one with --recipe")
    return quick


def plan(
    recipes: dict[str, Recipe], seeds: Iterable[int], *, results: Path, runs: Path
) -> list[Attempt]:
    """Return what is still to be measured of recipes and seeds.

    A run or a result in its place that was made with other settings is refused at once, not after
    hours of training the ones before it.
    """
    attempts = []
    for name, recipe in recipes.items():
        for seed in seeds:
            place = f"{name.replace('/', '-')}-seed{seed}"
            seeded = recipe.model_copy(update={"seed": seed})
            attempts.append(Attempt(name, seeded, runs / place, results / f"{place}.json"))
    return [attempt for attempt in attempts if not _is_measured(attempt)]


def measure(attempt: Attempt, *, report: Callable[[Progress], None] | None = None) -> Result:
    """Train, or go on with the run in its place; look at the test split and write the result."""
    folder = RunFolder(attempt.run)
    made: dict[str, Any] = {}  # stays empty if somebody trained it before
    if folder.finished:
        run = load_run(folder.path)
    else:
        made = {"commit": commit(), "machine": machine()}  # now: the source may change on the way
        forget_peak_memory()
        if folder.begun:
            recipe = make_recipe(folder.config())
            trained = train(folder.graph(), recipe, folder=folder, resume=True, report=report)
        else:
            graph = load_graph(attempt.recipe.graph)
            trained = train(graph, attempt.recipe, folder=folder, report=report)
        run = trained.run
        made["peak_memory_mb"] = round(trained.peak_memory_mb, 1)
    result = make_result(run, evaluate(run.model, run.graph, "test"), recipe=attempt.name, **made)
    write_result(attempt.result, result)
    return result


def chosen_results(
    folder: Path, *, recipes: Collection[str] = (), seeds: Collection[int] = ()
) -> list[Result]:
    """Read the results of a folder: of these recipes and these seeds alone, where any are given."""
    return [
        result
        for result in load_results(folder)
        if (not recipes or result.recipe in recipes) and (not seeds or result.seed in seeds)
    ]


def _is_measured(attempt: Attempt) -> bool:
    if attempt.result.exists():
        if not same_settings(load_result(attempt.result).config, attempt.config):
            message = f"was measured with other settings than {attempt.name} has now"
            raise ResultError(f"{attempt.result} {message}; remove it to measure again")
        return True
    folder = RunFolder(attempt.run)
    if folder.begun and not same_settings(folder.config(), attempt.config):
        message = f"was begun with other settings than {attempt.name} has now"
        raise RunError(f"{folder.path} {message}; remove it, or choose another place for runs")
    return False
