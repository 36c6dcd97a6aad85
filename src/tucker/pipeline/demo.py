"""The demonstration: geography learned from the bundled graph, and what it infers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml

from tucker.errors import ExtraError
from tucker.evaluation import Evaluation, evaluate
from tucker.graph import load_graph
from tucker.pipeline.recipe import make_recipe
from tucker.pipeline.report import write_report
from tucker.pipeline.train import Trained, train
from tucker.prediction import Calibrated, Prediction, calibrated, discover
from tucker.progress import Progress
from tucker.runs import FinishedRun, RunFolder

_ASKED = (
    "borders",
    "currency",
    "in continent",
    "in subregion",
    "language spoken",
    "member of",
    "official language",
    "time zone",
)


@dataclass(frozen=True)
class Finding:
    """A fact that the model was not told, and whether the graph holds it back for testing."""

    fact: Prediction  # with its score and probability
    held_out: bool  # whether the graph has it, in another split than train

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker demo --json` prints."""
        return self.fact.as_dict() | {"held_out": self.held_out}


@dataclass(frozen=True, eq=False)
class Demo:
    """A run on the bundled graph with its evaluation and findings."""

    trained: Trained  # the run, and what its training said
    test: Evaluation  # what it reached on the test split
    calibrated: Calibrated | None  # None where it could not be done
    findings: list[Finding]  # new facts that it is sure of

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker demo --json` prints."""
        return self.trained.as_dict() | {
            "test": self.test.as_dict(),
            "calibration": self.calibrated.as_dict() if self.calibrated else None,
            "findings": [finding.as_dict() for finding in self.findings],
        }


def run_demo(
    folder: RunFolder, *, report: Callable[[Progress], None] | None = None, each: int = 3
) -> Demo:
    """Train on the bundled graph, evaluate, calibrate, find facts it was not told, and report."""
    text = resources.files("tucker.pipeline").joinpath("recipes/demo.yaml").read_text("utf-8")
    recipe = make_recipe(yaml.safe_load(text))
    graph = load_graph(recipe.graph)
    trained = train(graph, recipe, folder=folder, report=report)
    test = evaluate(trained.run.model, graph, "test", by="relation")
    after = _calibrated(trained.run, folder)
    findings = _findings(after.run if after else trained.run, each)
    write_report(folder.path / "report.md", trained, test, [finding.fact for finding in findings])
    return Demo(trained, test, after, findings)


def _calibrated(run: FinishedRun, folder: RunFolder) -> Calibrated | None:
    """Calibrate the run; without scikit-learn its probabilities stay the model's own."""
    try:
        result = calibrated(run)
    except ExtraError:
        return None
    folder.write_calibration(result.calibration.as_dict(run.graph))
    return result


def _findings(run: FinishedRun, each: int) -> list[Finding]:
    """Ask for the most probable facts of some relations that are not in train.

    They are found as if the graph had nothing but train.
    """
    graph = run.graph
    held_out = {
        (graph.entities.name(s), graph.relations.name(r), graph.entities.name(o))
        for split in (graph.valid, graph.test)
        for s, r, o in split
    }
    facts = [
        fact for relation in _ASKED for fact in discover(run, relation, known=graph.train, k=each)
    ]
    return [Finding(fact, (fact.subject, fact.relation, fact.object) in held_out) for fact in facts]
