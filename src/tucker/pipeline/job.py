"""A training to be done: its graph, its recipe and the folder of its run, from what people give."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tucker.errors import GraphError, RunError, SettingsError, TrainingStopped
from tucker.evaluation import evaluate
from tucker.graph import Facts, Graph, Split, load_graph, named_facts
from tucker.graph.datasets.find import dataset_name
from tucker.graph.extend import extend_graph
from tucker.graph.implied import count_implied
from tucker.hints import nearest
from tucker.pipeline.defaults import default_settings
from tucker.pipeline.recipe import (
    Changes,
    Recipe,
    Settings,
    by_section,
    make_recipe,
    merged,
    read_recipe,
    with_changes,
)
from tucker.pipeline.shipped import find_recipe, recipe_names
from tucker.pipeline.train import Trained, train
from tucker.progress import ProgressBar, shown
from tucker.runs import FinishedRun, RunFolder

Given = Graph | Recipe | str | Path
"""A graph or a recipe: the thing itself, its path or its name."""

Place = str | Path | Literal[True] | None
"""A folder for a run; True for a new one under `runs/`; None to keep the run in memory."""


@dataclass(frozen=True, eq=False)
class Job:
    """A graph, how to train on it, and where the run goes."""

    graph: Graph
    recipe: Recipe
    folder: RunFolder | None
    resume: bool = False

    def done(self, *, evaluated: Split = "valid", progress: bool = True) -> Trained:
        """Train, show the progress on stderr, and evaluate on the test split if that is asked."""
        if evaluated == "test" and not len(self.graph.test):
            raise GraphError(f"the graph {self.graph.name} has no test facts to evaluate on")
        with watched(self.folder, progress) as bar:
            if bar:
                for text in self._notes():
                    bar.note(f"note: {text}")
            trained = train(
                self.graph, self.recipe, folder=self.folder, resume=self.resume, report=bar
            )
        if evaluated != "test":
            return trained
        return replace(trained, test=evaluate(trained.run.model, trained.run.graph, "test"))

    def _notes(self) -> list[str]:
        """Say what is worth knowing before anything is trained."""
        notes = list(self.graph.notes)
        if share := self.recipe.training.implied:
            count = count_implied(self.graph, share)
            notes.append(
                f"facts that follow from the training facts, and are learned too: {count:,}"
            )
        return notes


@contextmanager
def watched(folder: RunFolder | None, progress: bool) -> Iterator[ProgressBar | None]:
    """Show a bar while a run is trained; if it is stopped, say where to go on."""
    try:
        with shown(progress) as bar:
            yield bar
    except KeyboardInterrupt:
        if folder and folder.begun:
            raise TrainingStopped(folder.path) from None
        raise


def new_job(
    given: Given | None,
    recipe: Recipe | str | Path | None,
    *,
    model: str | None,
    settings: Settings,
    sections: Settings,
    changes: Changes,
    out: Place,
    resume: bool = False,
) -> Job:
    """Make the job of a new run, of a graph or a recipe, or of both.

    `settings` are those of model and training, by their own names; `sections` are other keys of a
    recipe; `changes` go before all of them. Without a recipe, what nobody says is chosen for the
    graph.
    """
    if given is not None and is_recipe(given):
        if recipe is not None:
            raise SettingsError("two recipes are given: leave out one of them")
        assert not isinstance(given, Graph)
        given, recipe = None, given
    asked = _settings_of(recipe)
    if given is not None:
        asked = asked | {"graph": given.name if isinstance(given, Graph) else str(given)}
    if model is not None:
        asked = merged(asked, {"model": {"name": model}})
    if model is not None or settings:
        asked = merged(asked, by_section(_model_of(asked), settings))
    asked = with_changes(merged(asked, sections), changes)
    graph = _graph_of(given, asked)
    rest = {} if recipe is not None else default_settings(graph, _model_of(asked))
    return Job(graph, make_recipe(merged(rest, asked)), place(out, graph.name), resume)


def resumed_job(path: str | Path) -> Job:
    """Make the job of an unfinished run, from its own files."""
    folder = RunFolder(Path(path))
    recipe = make_recipe(folder.config())
    return Job(folder.graph(), recipe, folder, resume=True)


def further_job(
    run: FinishedRun,
    facts: Facts | None,
    *,
    settings: Settings,
    sections: Settings,
    changes: Changes,
    out: Place,
) -> Job:
    """Make the job of a new run that begins with another's weights, and perhaps with more facts."""
    if run.path is None:
        raise RunError("training goes on from a run in a folder: save this one first")
    graph = run.graph
    if facts is not None:
        graph = extend_graph(graph, named_facts(facts))
    begun = merged(run.config, {"start": str(run.path)})
    asked = merged(begun, by_section(_model_of(begun), settings))
    recipe = make_recipe(with_changes(merged(asked, sections), changes))
    return Job(graph, recipe, place(out, run.path.resolve().name))


def place(out: Place, name: str) -> RunFolder | None:
    """Return the folder that is asked for; a new one is named after what the run is of."""
    if out is None:
        return None
    return RunFolder(free_folder(name) if out is True else Path(out))


def free_folder(name: str) -> Path:
    """Choose runs/NAME, or runs/NAME-2 and so on if that is taken."""
    names = (name if number == 1 else f"{name}-{number}" for number in range(1, 10_000))
    return next(path for path in (Path("runs") / name for name in names) if not path.exists())


def is_recipe(given: Given) -> bool:
    """Say whether something is a recipe, its file or its name; otherwise it is a graph."""
    if isinstance(given, Graph | Recipe):
        return isinstance(given, Recipe)
    path = Path(given)
    if path.suffix in (".yaml", ".yml"):
        return True
    if path.suffix or path.exists() or dataset_name(str(given)):
        return False
    return bool(nearest(str(given), recipe_names()))  # a mistyped one is told the nearest


def _settings_of(recipe: Recipe | str | Path | None) -> Settings:
    if recipe is None:
        return {}
    if isinstance(recipe, Recipe):
        return recipe.model_dump(mode="json")
    return read_recipe(find_recipe(str(recipe)))


def _model_of(settings: Settings) -> str:
    of_model = settings.get("model")
    return str(of_model.get("name", "tucker")) if isinstance(of_model, dict) else "tucker"


def _graph_of(given: Given | None, settings: Settings) -> Graph:
    """Return the graph that is given, or load the one that the settings name."""
    name = settings.get("graph")
    if isinstance(given, Graph):
        if name != given.name:
            raise SettingsError("the graph is given: leave it out of the settings")
        return given
    if not isinstance(name, str):
        raise SettingsError(
            "say what to train on: a graph, or a recipe that names one (--graph PATH, or a recipe)"
        )
    return load_graph(name, split_version=settings.get("split_version"))
