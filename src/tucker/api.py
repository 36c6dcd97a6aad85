"""The Python interface: a graph in, a run out, and a run that answers."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from torch import Tensor

from tucker.errors import RunError
from tucker.evaluation import By, Evaluation, Ties, evaluate
from tucker.experiments import train as train_recipe
from tucker.experiments.defaults import default_settings
from tucker.experiments.inspection import RelationShape, inspect_relations, relation_matrix
from tucker.experiments.progress import ProgressBar
from tucker.experiments.recipe import Recipe, by_section, make_recipe, merged
from tucker.graph import Graph, Split
from tucker.models import Model
from tucker.prediction import Prediction, predict
from tucker.runs import RunFolder, SavedRun, as_tucker, load_run


class Run:
    """A trained model with its graph: evaluate it, ask it, save it."""

    def __init__(self, saved: SavedRun) -> None:
        self._saved = saved

    @property
    def path(self) -> Path | None:
        """The folder of the run, or None while it is only in memory."""
        return self._saved.path

    @property
    def config(self) -> dict[str, Any]:
        """The resolved recipe."""
        return self._saved.config

    @property
    def graph(self) -> Graph:
        """The graph that the run was trained on."""
        return self._saved.graph

    @property
    def model(self) -> Model:
        """The torch module."""
        return self._saved.model

    @property
    def metrics(self) -> dict[str, Any]:
        """The metrics that were taken when it was trained."""
        return self._saved.metrics

    @property
    def journal(self) -> list[dict[str, Any]]:
        """What happened in each epoch."""
        return self._saved.journal

    def evaluate(
        self, split: Split = "test", *, ties: Ties = "realistic", by: By | None = None
    ) -> Evaluation:
        """Rank the true answers of a split among all entities."""
        return evaluate(self._saved.model, self._saved.graph, split, ties=ties, by=by)

    def predict(
        self,
        *,
        subject: str | None = None,
        relation: str | None = None,
        object: str | None = None,
        k: int = 10,
    ) -> list[Prediction]:
        """Return the k best new answers to a question that gives two of a fact's three names."""
        return predict(self._saved, subject=subject, relation=relation, object=object, k=k)

    def inspect(self, relation: str | None = None) -> list[RelationShape]:
        """Return how asymmetric the matrix of each relation is, or of the one named."""
        return inspect_relations(self._saved, [relation] if relation else None)

    def relation_matrix(self, relation: str) -> Tensor:
        """Return W_r = W ×₂ w_r of a relation, (d_e, d_e)."""
        return relation_matrix(self._saved, relation)

    def as_tucker(self) -> Run:
        """Return a run, in memory, whose model is the TuckER with the same scores."""
        return Run(as_tucker(self._saved))

    def train_on(
        self, *, out: Path | str | None = None, progress: bool = True, **settings: Any
    ) -> Run:
        """Train a copy of the saved model further on its graph; settings change those it had."""
        if self.path is None:
            raise RunError("training goes on from a run in a folder: save this one first")
        changes = by_section(self.config["model"]["name"], settings)
        recipe = make_recipe(merged(self.config, {**changes, "start": str(self.path)}))
        return _trained(self.graph, recipe, out, resume=False, progress=progress)

    def save(self, path: Path | str) -> None:
        """Write the run into a new folder."""
        folder = RunFolder(path)
        folder.begin(self.config, self.graph)
        folder.write_journal(self.journal)
        folder.finish(self._saved.model, self.metrics)
        self._saved = replace(self._saved, path=folder.path)


def load(path: Path | str) -> Run:
    """Load a run from its folder."""
    return Run(load_run(path))


def train(
    graph: Graph,
    model: str = "tucker",
    *,
    out: Path | str | None = None,
    resume: bool = False,
    seed: int = 0,
    progress: bool = True,
    **settings: Any,
) -> Run:
    """Train a model on a graph; settings are those of the model and of its training.

    What is not set is chosen for the size of the graph. With `out`, the run is saved in that folder
    while it trains, checkpoints included; `resume` goes on with the unfinished run in it.
    `progress` shows a bar on stderr.
    """
    chosen = {"graph": graph.name, "seed": seed, **by_section(model, settings)}
    recipe = make_recipe(merged(default_settings(graph, model), chosen))
    return _trained(graph, recipe, out, resume=resume, progress=progress)


def _trained(
    graph: Graph, recipe: Recipe, out: Path | str | None, *, resume: bool, progress: bool
) -> Run:
    folder = RunFolder(out) if out is not None else None
    with ProgressBar() if progress else nullcontext() as bar:
        return Run(train_recipe(graph, recipe, folder=folder, resume=resume, report=bar).run)
