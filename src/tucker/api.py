"""The Python interface: a graph in, a run out, and a run that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import polars as pl
from torch import Tensor

from tucker.errors import RunError
from tucker.evaluation import By, Evaluation, Ties, evaluate
from tucker.graph import Graph, Split
from tucker.models import Model
from tucker.pipeline import train as train_recipe
from tucker.pipeline.defaults import default_settings
from tucker.pipeline.recipe import Recipe, by_section, make_recipe, merged
from tucker.prediction import (
    Calibrated,
    Classification,
    Explainer,
    Explanation,
    Neighbour,
    Neighbours,
    Prediction,
    Reliability,
    Rule,
    Scored,
    calibrated,
    classify,
    discover,
    predict,
    reliability,
    rules_of,
    score_file,
)
from tucker.prediction.fold_in import fold_in
from tucker.prediction.inspect import RelationShape, inspect_relations, relation_matrix
from tucker.progress import ProgressBar
from tucker.runs import FinishedRun, RunFolder, as_tucker, load_run, save_run
from tucker.runs.chance_curves import Method


class Run:
    """A trained model with its graph: evaluate it, ask it, save it."""

    def __init__(self, saved: FinishedRun) -> None:
        self._saved = saved
        self._explainer = Explainer(saved)
        self._neighbours = Neighbours(saved)

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
        """Return the k best new answers to a question that gives two of a fact's three names.

        The probability of an answer is that of being right, given that the question has a missing
        answer; `discover` and `score_file` give that of a fact by itself.
        """
        return predict(self._saved, subject=subject, relation=relation, object=object, k=k)

    def explain(self, subject: str, relation: str, object: str, *, k: int = 5) -> Explanation:
        """Return reasons of a fact: known facts like it, and paths that go with its relation."""
        return self._explainer.explain(subject, relation, object, k=k)

    def rules(self, relation: str | None = None, *, k: int = 20) -> list[Rule]:
        """Return the k rules that say most, of all relations or of one, if the run has rules."""
        return rules_of(self._saved, relation, k=k)

    def neighbours(self, name: str, *, k: int = 10, index: bool | None = None) -> list[Neighbour]:
        """Return the k entities nearest to one by cosine; `index` is no more than refused."""
        return self._neighbours.find(name, k, index=index)

    def discover(
        self,
        *,
        relation: str | None = None,
        subject: str | None = None,
        k: int = 100,
        min_probability: float = 0.0,
        report: Callable[[float], None] = lambda done: None,
    ) -> list[Prediction]:
        """Return the k most probable new facts of the graph, of one relation or of one subject."""
        return discover(
            self._saved,
            relation,
            subject=subject,
            k=k,
            min_probability=min_probability,
            report=report,
        )

    def score_file(self, path: Path | str) -> list[Scored]:
        """Return score and probability of each fact of a file, the same as `discover` gives it."""
        return score_file(self._saved, path)

    def calibrate(self, method: Method = "isotonic") -> Calibrated:
        """Learn probabilities that hold from the validation split; keep them in the run's folder.

        The result says what they are worth on the test split.
        """
        result = calibrated(self._saved, method)
        if self.path is not None:
            RunFolder(self.path).write_calibration(result.calibration.as_dict(self.graph))
        self._saved = result.run
        return result

    @property
    def calibration(self) -> Method | None:
        """How the run's probabilities are calibrated, or None if they are the model's own."""
        return self._saved.calibration.method if self._saved.calibration else None

    @property
    def facts_calibrated(self) -> bool:
        """Whether the probability of a fact by itself is fitted to validation facts."""
        return bool(self._saved.calibration and self._saved.calibration.facts)

    def reliability(self, split: Split = "test", *, k: int = 10) -> Reliability:
        """Compare the probabilities of the k best new answers with what a split confirms."""
        return reliability(self._saved, split, k=k)

    def classify(self, *, seed: int = 0) -> Classification:
        """Tell test facts from corrupted ones by thresholds chosen on validation facts."""
        return classify(self._saved, seed=seed)

    def fold_in(self, facts: pl.DataFrame | Iterable[tuple[str, str, str]]) -> Run:
        """Return a run, in memory, with more facts; new names get embeddings, without training."""
        return Run(fold_in(self._saved, facts))

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
        self._saved = save_run(self._saved, path)


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
    beside: dict[str, Any] | None = None,
    rules: dict[str, Any] | None = None,
    **settings: Any,
) -> Run:
    """Train a model on a graph; settings are those of the model and of its training.

    What is not set is chosen for the size of the graph. With `out`, the run is saved in that folder
    while it trains, checkpoints included; `resume` goes on with the unfinished run in it.
    `progress` shows a bar on stderr. `beside` is another model whose score is added, as in a
    recipe: {"model": {"name": "complex"}, "training": {"loss": "softmax"}, "weight": 1.0}; `rules`
    are rules whose score is added, {"weight": 1.0}.
    """
    sections = by_section(model, settings)
    chosen = {"graph": graph.name, "seed": seed, **sections, "beside": beside, "rules": rules}
    recipe = make_recipe(merged(default_settings(graph, model), chosen))
    return _trained(graph, recipe, out, resume=resume, progress=progress)


def _trained(
    graph: Graph, recipe: Recipe, out: Path | str | None, *, resume: bool, progress: bool
) -> Run:
    folder = RunFolder(out) if out is not None else None
    with ProgressBar() if progress else nullcontext() as bar:
        return Run(train_recipe(graph, recipe, folder=folder, resume=resume, report=bar).run)
