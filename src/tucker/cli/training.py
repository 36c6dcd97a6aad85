"""What `tucker train` calls: a recipe from the command line's words, trained with a bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from tucker.cli.output import note
from tucker.errors import GraphError, SettingsError
from tucker.evaluation import evaluate
from tucker.graph import Graph, Split, load_graph, read_facts
from tucker.graph.extend import extend_graph
from tucker.graph.implied import count_implied
from tucker.pipeline import Recipe, Trained, load_recipe, train
from tucker.pipeline.defaults import default_settings
from tucker.pipeline.recipe import make_recipe, merged, with_changes
from tucker.pipeline.shipped import find_recipe
from tucker.progress import ProgressBar
from tucker.runs import RunFolder


def start(
    recipe_name: str | None,
    graph_source: str | None,
    model: str | None,
    changes: list[str],
    out: Path | None,
    evaluated: Split,
) -> Trained:
    """Begin a new run; `evaluated` is the split that will be asked for when it is done."""
    asked = load_recipe(find_recipe(recipe_name)) if recipe_name else {}
    if graph_source:
        asked = merged(asked, {"graph": graph_source})
    if model:
        asked = merged(asked, {"model": {"name": model}})
    asked = with_changes(asked, changes)
    if not isinstance(asked.get("graph"), str):
        raise SettingsError("say what to train on: a recipe with a graph, or --graph PATH")
    graph = load_graph(asked["graph"], split_version=asked.get("split_version"))
    _check_split(graph, evaluated)
    for text in graph.notes:
        note(f"note: {text}")
    of_model = asked.get("model")
    name = of_model.get("name", "tucker") if isinstance(of_model, dict) else "tucker"
    rest = {} if recipe_name else default_settings(graph, str(name))
    recipe = make_recipe(merged(rest, asked))
    return _train(graph, recipe, RunFolder(out or free_folder(graph.name)), resume=False)


def go_on_from(
    run: Path, facts: Path | None, changes: list[str], out: Path | None, evaluated: Split
) -> Trained:
    """Begin a new run with the weights, the graph and the settings of another, and more facts."""
    before = RunFolder(run)
    before.check()
    graph = before.graph()
    _check_split(graph, evaluated)
    if facts:
        graph = extend_graph(graph, read_facts(facts).table)
        note(f"note: {graph.notes[-1]}")
    recipe = make_recipe(with_changes(merged(before.config(), {"start": str(run)}), changes))
    return _train(graph, recipe, RunFolder(out or free_folder(graph.name)), resume=False)


def resume(out: Path, evaluated: Split) -> Trained:
    """Go on with an unfinished run, from its own files."""
    folder = RunFolder(out)
    recipe = make_recipe(folder.config())
    graph = folder.graph()
    _check_split(graph, evaluated)
    return _train(graph, recipe, folder, resume=True)


def test(trained: Trained) -> dict[str, Any]:
    """Return the metrics on the test split."""
    return evaluate(trained.run.model, trained.run.graph, "test").as_dict()


def _check_split(graph: Graph, evaluated: Split) -> None:
    """Refuse, before anything is trained, to evaluate on test facts that there are none of."""
    if evaluated == "test" and not len(graph.test):
        raise GraphError(f"the graph {graph.name} has no test facts to evaluate on")


def _train(graph: Graph, recipe: Recipe, folder: RunFolder, *, resume: bool) -> Trained:
    if share := recipe.training.implied:
        count = count_implied(graph, share)
        note(f"note: facts that follow from the training facts, and are learned too: {count:,}")
    with shown_progress(folder) as bar:
        return train(graph, recipe, folder=folder, resume=resume, report=bar)


@contextmanager
def shown_progress(folder: RunFolder, go_on: str | None = None) -> Iterator[ProgressBar]:
    """Show a bar while a run is trained, and how to go on with it if it is stopped."""
    try:
        with ProgressBar() as bar:
            yield bar
    except KeyboardInterrupt:
        note(f"stopped; go on with: {go_on or f'tucker train --resume --out {folder.path}'}")
        raise typer.Exit(130) from None


def free_folder(name: str) -> Path:
    """Choose runs/NAME, or runs/NAME-2 and so on if that is taken."""
    names = (name if number == 1 else f"{name}-{number}" for number in range(1, 10_000))
    return next(path for path in (Path("runs") / name for name in names) if not path.exists())
