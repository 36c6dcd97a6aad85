"""A run from a recipe: build, train with validation, save."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch

from tucker.errors import GraphError, RunError, SettingsError, TrainingError
from tucker.evaluation import Evaluation, evaluate
from tucker.graph import Answers, Graph
from tucker.graph.extend import extends, same_facts
from tucker.mixture import build_model, check_size, mixed
from tucker.models import Model
from tucker.pipeline.companion import Companion
from tucker.pipeline.machine import peak_memory_mb
from tucker.pipeline.recipe import Recipe, same_settings
from tucker.prediction.fold_in import on_graph
from tucker.progress import Progress
from tucker.runs import FinishedRun, RunFolder, load_run
from tucker.training import Entry, Trainer, Training, learn_rules


@dataclass(frozen=True, eq=False)
class Trained:
    """A run just trained, and what its training said about itself."""

    run: FinishedRun  # the run
    training: Training  # how many epochs and seconds it took
    peak_memory_mb: float  # the most memory that the process used
    test: Evaluation | None = None  # on the test split, where that was asked for

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker train --json` prints."""
        return {
            "run": str(self.run.path) if self.run.path else None,
            "epochs": self.training.epochs,
            "best_epoch": self.training.best_epoch,
            "seconds": round(self.training.seconds, 3),
            "pairs_per_second": round(self.training.pairs_per_second, 1),
            "peak_memory_mb": round(self.peak_memory_mb, 1),
            **self.run.metrics,
            **({"test": self.test.as_dict()} if self.test else {}),
        }


def train(
    graph: Graph,
    recipe: Recipe,
    *,
    folder: RunFolder | None = None,
    resume: bool = False,
    report: Callable[[Progress], None] | None = None,
) -> Trained:
    """Train a model on a graph as a recipe says; with a folder, save it there as it goes.

    A model `beside` it is trained first; validation then looks at the sum of the two. Rules are
    learned last, and no validation before the end has seen them.
    """
    if not len(graph.train):
        raise GraphError(f"the graph {graph.name} has no facts to train on")
    if resume and folder and folder.begun and not folder.finished:
        graph = _graph_of(folder, graph)
    config = {**recipe.model_dump(mode="json"), "split_version": graph.split_version}
    _check_beside(recipe, graph)
    if recipe.rules:
        check_size(graph.n_e, 2 * graph.n_r)
    torch.manual_seed(recipe.seed)
    model = _build({**config, "beside": None, "rules": None}, graph)
    if recipe.start and not (resume and folder and folder.checkpoint.exists()):
        _begin_with(model, graph, recipe.start)
    companion: Companion | None = None  # until it is trained

    def whole(model: Model) -> Model:
        return companion.beside(model) if companion else model

    def record(journal: list[Entry]) -> None:
        if folder:
            folder.write_journal(companion.before(journal) if companion else journal)

    trainer = Trainer(
        model,
        Answers.of(graph.train, graph.n_e, graph.n_r),
        recipe.training,
        seed=recipe.seed,
        validate=_validator(graph, whole),
        checkpoint=folder.checkpoint if folder else None,
        report=_staged(report, recipe, 2) or (lambda progress: None),
        record=record,
    )
    if folder:  # only now: the trainer has looked at the settings
        _open(folder, config, graph, resume=resume)
    if resume:
        trainer.resume()
    try:
        companion = _companion(graph, recipe, folder, report)
        training = trainer.run()
    except Exception:  # not Ctrl-C, which leaves a checkpoint
        if folder and not resume and not any(folder.checkpoint.parent.glob("*")):
            folder.discard()
        raise
    if companion:
        model, training = whole(model), companion.and_then(training)
    if recipe.rules:
        model, training = _with_rules(model, training, graph, recipe, report)
        if folder:
            folder.write_journal(training.journal)
    return _finish(folder, config, graph, model, training)


def _with_rules(
    model: Model,
    training: Training,
    graph: Graph,
    recipe: Recipe,
    report: Callable[[Progress], None] | None,
) -> tuple[Model, Training]:
    """Learn rules and put them beside a model; the journal's last line says how long it took."""
    assert recipe.rules
    start = time.perf_counter()
    rules = learn_rules(
        graph.train,
        graph.n_e,
        graph.n_r,
        recipe.rules,
        seed=recipe.seed,
        report=report or (lambda progress: None),
    )
    seconds = time.perf_counter() - start
    last = {**training.journal[-1], "rules": len(rules.codes), "rules_seconds": seconds}
    journal = [*training.journal[:-1], last]
    whole = mixed(model, rules, recipe.rules.weight)
    return whole, replace(training, journal=journal, seconds=training.seconds + seconds)


def _finish(
    folder: RunFolder | None,
    config: dict[str, Any],
    graph: Graph,
    model: Model,
    training: Training,
) -> Trained:
    """Evaluate a trained model on the validation split and save it, if there is a folder."""
    metrics = {"valid": evaluate(model, graph, "valid").as_dict()} if len(graph.valid) else {}
    if folder:
        folder.finish(model, metrics)
    path = folder.path if folder else None
    run = FinishedRun(path, config, graph, model, metrics, training.journal)
    return Trained(run, training, peak_memory_mb())


def _build(config: dict[str, Any], graph: Graph) -> Model:
    try:
        return build_model(config, graph)
    except (RuntimeError, MemoryError) as error:
        message = f"a model of {graph.n_e:,} entities and these sizes does not fit into memory"
        raise SettingsError(f"{message}; try a smaller model.d_e or model.d_r") from error


def _begin_with(model: Model, graph: Graph, start: str) -> None:
    """Give a new model the weights of a run on the same graph, or on one that this one extends."""
    run = load_run(start)
    if extends(graph, run.graph):
        run = on_graph(run, graph)
    for ours, theirs in (
        (graph.entities, run.graph.entities),
        (graph.relations, run.graph.relations),
    ):
        if not ours.names.equals(theirs.names):
            raise SettingsError(
                f"start: the run {start} was trained on another graph than {graph.name}"
            )
    try:
        model.load_state_dict(run.model.embedding.state_dict())
    except RuntimeError as error:
        raise SettingsError(
            f"start: the weights of {start} belong to another model or other sizes; keep its model "
            "settings, apart from dropouts"
        ) from error


def _validator(graph: Graph, whole: Callable[[Model], Model]) -> Callable[[Model], float] | None:
    """Close over the validation split: all that a trainer may know of it is the MRR."""
    if not len(graph.valid):
        return None
    known = Answers.of(graph.answers_known_at("valid"), graph.n_e, graph.n_r)
    return lambda model: evaluate(whole(model), graph, "valid", known=known).mrr


def _check_beside(recipe: Recipe, graph: Graph) -> None:
    """Refuse at once, not after the first training, two models that cannot be added up."""
    if not recipe.beside:
        return
    if recipe.start:
        raise SettingsError("start: a recipe with `beside` cannot begin with the weights of a run")
    with torch.device("meta"):  # shapes without memory
        own = build_model({"model": recipe.model}, graph)
        with _said_of_the_companion():
            other = build_model({"model": recipe.beside.model}, graph)
        mixed(own, other, recipe.beside.weight)


def _companion(
    graph: Graph,
    recipe: Recipe,
    folder: RunFolder | None,
    report: Callable[[Progress], None] | None,
) -> Companion | None:
    """Train the model beside a recipe's own, or go on with it, or load it if it is finished."""
    if not recipe.beside:
        return None
    place = RunFolder(folder.beside) if folder else None
    changes = {"model": recipe.beside.model, "training": recipe.beside.training}
    own = recipe.model_copy(update={**changes, "beside": None, "rules": None})
    with (
        torch.random.fork_rng(devices=[]),  # what follows is the same if this was done before
        _said_of_the_companion(),
    ):
        if place and place.finished:
            run = load_run(place.path)
        else:
            resume = bool(place and place.begun)
            shown = _staged(report, recipe, 1)
            run = train(graph, own, folder=place, resume=resume, report=shown).run
    return Companion(run.model, run.journal, recipe.beside.weight)


def _staged(
    report: Callable[[Progress], None] | None, recipe: Recipe, number: int
) -> Callable[[Progress], None] | None:
    """Let a report say which of two trainings it is of."""
    if not (recipe.beside and report):
        return report
    name = (recipe.beside.model, recipe.model)[number - 1]["name"]
    return lambda progress: report(replace(progress, stage=f"{name}, {number} of 2"))


@contextmanager
def _said_of_the_companion() -> Iterator[None]:
    """Let a complaint say that it is about the model beside."""
    try:
        yield
    except (SettingsError, TrainingError) as error:
        raise type(error)(f"beside: {error}") from error


def _graph_of(folder: RunFolder, graph: Graph) -> Graph:
    """Return the graph of a run begun before, whose split may be of another version than ours."""
    own = folder.graph()
    if not same_facts(own, graph):
        raise RunError(f"{folder.path} was begun with another graph; resume it with that one")
    return own


def _open(folder: RunFolder, config: dict[str, Any], graph: Graph, *, resume: bool) -> None:
    if not resume:
        folder.begin(config, graph)
    elif folder.finished:
        raise RunError(f"{folder.path} has finished already: there is nothing to resume")
    elif not folder.begun:
        raise RunError(f"{folder.path} holds no run to resume: leave out --resume to begin one")
    elif not same_settings(folder.config(), config):
        raise RunError(f"{folder.path} was begun with other settings; resume it without changes")
