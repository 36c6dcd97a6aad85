"""A trained run: evaluate it, ask it, look inside, train it further, save it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from torch import Tensor

from tucker.api.export import Fact, export
from tucker.api.serve import serve
from tucker.errors import SettingsError
from tucker.evaluation import By, Evaluation, Ties, evaluate
from tucker.graph import Facts, Graph, Split, named_facts
from tucker.models import Model
from tucker.pipeline.job import Place, further_job, place
from tucker.pipeline.plots import check_picture, draw_heatmaps, draw_reliability
from tucker.pipeline.recipe import Changes
from tucker.pipeline.train import Trained
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
    score_facts,
)
from tucker.prediction.embeddings import EmbeddingFormat
from tucker.prediction.export import Annotation, FactFormat
from tucker.prediction.fold_in import fold_in
from tucker.prediction.inspect import RelationShape, inspect_relations, relation_matrix
from tucker.runs import FinishedRun, RunFolder, as_tucker, load_run, save_run
from tucker.runs.chance_curves import Method
from tucker.runs.convert import largest_difference


class Run:
    """A trained model with its graph: `train` and `load` give one.

    >>> run = tucker.load("runs/world")
    >>> run.predict(subject="Norway", relation="borders", k=3)
    """

    def __init__(self, saved: FinishedRun, trained: Trained | None = None) -> None:
        self._saved = saved
        self._trained = trained
        self._explainer = Explainer(saved)
        self._neighbours = Neighbours(saved)

    @classmethod
    def of(cls, trained: Trained) -> Run:
        """Return the run that a training made."""
        return cls(trained.run, trained)

    @property
    def path(self) -> Path | None:
        """The folder of the run, or None while it is only in memory."""
        return self._saved.path

    @property
    def config(self) -> dict[str, Any]:
        """The whole recipe of the run, defaults included: `run.config["training"]["epochs"]`."""
        return self._saved.config

    @property
    def graph(self) -> Graph:
        """The graph that the run was trained on."""
        return self._saved.graph

    @property
    def model(self) -> Model:
        """The torch module. Entities are the rows of `run.model.E`, in the order of their ids."""
        return self._saved.model

    @property
    def metrics(self) -> dict[str, Any]:
        """The metrics taken at the end of training: `run.metrics["valid"]["mrr"]`."""
        return self._saved.metrics

    @property
    def journal(self) -> list[dict[str, Any]]:
        """One entry an epoch: loss, learning rate, seconds, validation MRR where it was taken."""
        return self._saved.journal

    @property
    def report(self) -> dict[str, Any] | None:
        """What `tucker train --json` prints; None unless the run was trained in this process."""
        return self._trained.as_dict() if self._trained else None

    @property
    def calibration(self) -> Method | None:
        """How the run's probabilities are calibrated, or None if they are the model's own."""
        return self._saved.calibration.method if self._saved.calibration else None

    @property
    def facts_calibrated(self) -> bool:
        """Whether the probability of a fact by itself is fitted to validation facts."""
        return bool(self._saved.calibration and self._saved.calibration.facts)

    def evaluate(
        self, split: Split = "test", *, ties: Ties = "realistic", by: By | None = None
    ) -> Evaluation:
        """Rank the true answers of a split among all entities, other known answers left out.

        `by` adds figures by "relation", "side" or "category". `ties` says how equal scores are
        ranked: "realistic" (the mean), "optimistic" or "pessimistic".

        >>> run.evaluate("test").mrr
        >>> run.evaluate("test", by="relation").by["borders"].hits_at_10
        """
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

        The probability of an answer is how likely it is right if the question has a missing
        answer; `discover` and `score` give the probability of a fact by itself.

        >>> for answer in run.predict(subject="Norway", relation="borders", k=5):
        ...     print(answer.object, answer.probability)
        """
        return predict(self._saved, subject=subject, relation=relation, object=object, k=k)

    def discover(
        self,
        *,
        relation: str | None = None,
        subject: str | None = None,
        k: int = 100,
        min_probability: float = 0.0,
        report: Callable[[float], None] = lambda done: None,
    ) -> list[Prediction]:
        """Return the k most probable new facts of the graph, of one relation or of one subject.

        `report` is called now and then with the share of the work that is done.

        >>> run.discover(relation="borders", k=20, min_probability=0.5)
        """
        return discover(
            self._saved,
            relation,
            subject=subject,
            k=k,
            min_probability=min_probability,
            report=report,
        )

    def score(self, facts: Facts) -> list[Scored]:
        """Return score and probability of each fact, the same as `discover` gives them.

        Facts are a file, a table with the columns subject, relation and object, or triples of
        names. Facts that the graph has are scored as if it did not have them.

        >>> run.score([("Norway", "borders", "Sweden")])[0].fact.probability
        """
        return score_facts(self._saved, facts)

    def score_file(self, path: Path | str) -> list[Scored]:
        """Return `score` of a file's facts."""
        return self.score(path)

    def explain(self, subject: str, relation: str, object: str, *, k: int = 5) -> Explanation:
        """Return the reasons for a fact: known facts like it, and paths that go with its relation.

        >>> run.explain("Norway", "borders", "Sweden").paths[0].count.confidence
        """
        return self._explainer.explain(subject, relation, object, k=k)

    def rules(self, relation: str | None = None, *, k: int = 20) -> list[Rule]:
        """Return the k rules that say most, of all relations or of one, if the run has rules.

        >>> [rule.weight for rule in run.rules("borders", k=5)]
        """
        return rules_of(self._saved, relation, k=k)

    def neighbours(self, name: str, *, k: int = 10, index: bool | None = None) -> list[Neighbour]:
        """Return the k entities nearest to one by the cosine of their embeddings.

        There is no approximate index any more: `index=True` is refused.

        >>> [one.name for one in run.neighbours("Norway", k=3)]
        """
        return self._neighbours.find(name, k, index=index)

    def calibrate(
        self, method: Method = "isotonic", *, plot: Path | str | None = None
    ) -> Calibrated:
        """Learn from the validation split how often answers are right; keep it in the run's folder.

        From then on the run gives calibrated probabilities. The result says what they are worth on
        the test split, and `plot` draws that into a file, if the graph has test facts.

        >>> run.calibrate().test.ece
        """
        if plot:
            check_picture(Path(plot))
        result = calibrated(self._saved, method)
        if self.path is not None:
            RunFolder(self.path).write_calibration(result.calibration.as_dict(self.graph))
        self._saved = result.run
        if plot and result.test and result.uncalibrated and result.facts:
            answers = {"the model's own": result.uncalibrated, method: result.test}
            draw_reliability(Path(plot), answers | {"facts by themselves": result.facts})
        return result

    def reliability(self, split: Split = "test", *, k: int = 10) -> Reliability:
        """Compare the probabilities of the k best new answers with what a split confirms.

        >>> run.reliability().ece
        """
        return reliability(self._saved, split, k=k)

    def classify(self, *, seed: int = 0) -> Classification:
        """Tell test facts from corrupted ones by thresholds chosen on validation facts.

        >>> run.classify().accuracy
        """
        return classify(self._saved, seed=seed)

    def inspect(
        self, relation: str | Iterable[str] | None = None, *, plot: Path | str | None = None
    ) -> list[RelationShape]:
        """Return how asymmetric the matrix of each relation is, or of those named.

        `plot` draws the matrices of those named as heatmaps into a file.

        >>> run.inspect("borders")[0].asymmetry
        """
        names = [relation] if isinstance(relation, str) else relation
        chosen = list(dict.fromkeys(names or []))
        if plot:
            if not chosen:
                raise SettingsError("say which relations to plot")
            check_picture(Path(plot))
        shapes = inspect_relations(self._saved, chosen or None)
        if plot:
            draw_heatmaps(Path(plot), {name: self.relation_matrix(name) for name in chosen})
        return shapes

    def relation_matrix(self, relation: str) -> Tensor:
        """Return W_r = W ×₂ w_r of a relation, (d_e, d_e).

        >>> run.relation_matrix("borders").norm()
        """
        return relation_matrix(self._saved, relation)

    def fold_in(self, facts: Facts, *, out: Place = None) -> Run:
        """Return a run with more facts; entities that are new get embeddings, without training.

        Facts are a file, a table with the columns subject, relation and object, or triples of
        names. The new run has no calibration.

        >>> larger = run.fold_in([("Atlantis", "borders", "Norway")])
        >>> larger.predict(subject="Atlantis", relation="currency")
        """
        folder = self._place(out, "more")
        return _written(fold_in(self._saved, named_facts(facts)), folder)

    def convert(self, to: Literal["tucker"] = "tucker", *, out: Place = None) -> Run:
        """Return a run whose model is the TuckER with the same scores, if the model is bilinear.

        >>> tucker.load("runs/complex").convert(out="runs/complex-tucker")
        """
        folder = self._place(out, to)
        return _written(as_tucker(self._saved), folder)

    def as_tucker(self) -> Run:
        """Return `convert("tucker")`, in memory."""
        return self.convert()

    def largest_difference(self, other: Run) -> float:
        """Return how far two models' scores of 10,000 random facts lie apart at most.

        It is given relative to the mean size of this run's scores.

        >>> run.largest_difference(run.convert())
        """
        return largest_difference(self.model, other.model)

    def continue_with(
        self,
        facts: Facts | None = None,
        *,
        out: Place = None,
        set: Changes = (),
        seed: int | None = None,
        evaluate: Literal["valid", "test"] = "valid",
        progress: bool = True,
        **settings: Any,
    ) -> Run:
        """Train on: a new run that begins with this one's weights and settings, and more facts.

        This run must stand in a folder, and stays as it is. Entities that are new in `facts` get
        embeddings first. Settings are given as `train` takes them.

        >>> run.continue_with("new-facts.tsv", epochs=20, out="runs/world-2")
        """
        sections = {} if seed is None else {"seed": seed}
        job = further_job(
            self._saved, facts, settings=settings, sections=sections, changes=set, out=out
        )
        return Run.of(job.done(evaluated=evaluate, progress=progress))

    def train_on(self, *, out: Place = None, progress: bool = True, **settings: Any) -> Run:
        """Return `continue_with` without new facts."""
        return self.continue_with(out=out, progress=progress, **settings)

    def export(
        self,
        path: Path | str,
        format: EmbeddingFormat | FactFormat,
        facts: Iterable[Fact] | None = None,
        *,
        annotation: Annotation = "star",
    ) -> list[Path]:
        """Write the embeddings, or facts that were predicted, for other programs.

        Embeddings go into "parquet", "npz" or "word2vec"; facts into "tsv", "parquet" or "nt",
        with their probabilities. Returns the files that were written.

        >>> run.export("vectors.parquet", "parquet")
        >>> run.export("found.nt", "nt", run.discover(k=50))
        """
        return export(self._saved, Path(path), format, facts, annotation)

    def serve(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        token: str | None = None,
        decisions: Path | str | None = None,
        ready: Callable[[str], None] = lambda url: print(f"served on {url}", file=sys.stderr),
    ) -> None:
        """Serve the HTTP API and the page, until Ctrl-C.

        Port 0 is any free one. Decisions are kept in the run's folder, unless another file is
        given. `ready` is called with the address when the server answers.

        >>> run.serve(port=8080)
        """
        serve(self._saved, host, port, token, decisions, ready)

    def save(self, path: Path | str) -> None:
        """Write the run into a new folder.

        >>> run.save("runs/copy")
        """
        self._saved = save_run(self._saved, path)

    def _place(self, out: Place, what: str) -> RunFolder | None:
        """Return the folder for a run made of this one, if there is to be one."""
        name = self.path.resolve() if self.path else Path(self.graph.name)
        folder = place(out, f"{name.name}-{what}")
        if folder:
            folder.check_free()
        return folder


def _written(run: FinishedRun, folder: RunFolder | None) -> Run:
    return Run(save_run(run, folder.path) if folder else run)


def load(path: Path | str) -> Run:
    """Load a run from its folder.

    >>> run = tucker.load("runs/world")
    """
    return Run(load_run(path))
