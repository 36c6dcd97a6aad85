"""A report of a run that a person can read: Markdown, and a plot where Matplotlib is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tucker.errors import ExtraError
from tucker.evaluation import Evaluation, Metrics
from tucker.files import write_text
from tucker.pipeline.companion import own_entries
from tucker.pipeline.plots import draw_epochs
from tucker.pipeline.train import Trained
from tucker.prediction import Prediction


def write_report(
    path: Path, trained: Trained, evaluation: Evaluation, facts: Iterable[Prediction]
) -> None:
    """Write what was trained, how good it is, by relation, and the new facts it found."""
    run, training = trained.run, trained.training
    plot = path.with_name("learning.png")
    parts = [
        f"# {run.config['model']['name']} on {_text(run.graph.name)}\n",
        f"{run.graph.n_e:,} entities, {run.graph.n_r:,} relations, {len(run.graph.train):,} facts "
        f"to learn from. {training.epochs} epochs in {training.seconds:.1f} s; the weights are "
        f"those of epoch {training.best_epoch}, {_why_kept(run.config)}.\n",
        f"![validation MRR by epoch]({plot.name})\n" if _plot(plot, run.journal) else "",
        f"## Filtered ranking on the {evaluation.split} split\n",
        _table(
            [evaluation.split, *_METRICS],
            [
                ["all facts", *_figures(evaluation.metrics)],
                ["entities seen in training", *_figures(evaluation.seen_only)],
                *([name, *_figures(metrics)] for name, metrics in evaluation.by.items()),
            ],
        ),
        "## Facts that the graph does not have\n",
        _table(
            ["subject", "relation", "object", "probability"],
            [[f.subject, f.relation, f.object, f"{f.probability:.3f}"] for f in facts],
        ),
    ]
    write_text(path, "\n".join(part for part in parts if part))


def _why_kept(config: dict[str, Any]) -> str:
    last = config["training"].get("keep") == "last"
    return "the last" if last else "the best on the validation split"


_SPECIAL = "\\`*_[]<>|#&\r\n"
_METRICS = ["queries", "MRR", "Hits@1", "Hits@3", "Hits@10"]


def _figures(metrics: Metrics) -> list[str]:
    hits = metrics.mrr, metrics.hits_at_1, metrics.hits_at_3, metrics.hits_at_10
    return [f"{metrics.queries:,}", *(f"{value:.3f}" for value in hits)]


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(map(_text, line)) + " |\n" for line in lines)


def _text(name: str) -> str:
    """Keep a name from being read as Markdown or HTML."""
    return name.translate({ord(character): f"&#{ord(character)};" for character in _SPECIAL})


def _plot(path: Path, journal: list[dict[str, Any]]) -> bool:
    """Draw validation MRR by epoch, if that can be done here."""
    own = own_entries(journal)
    points = [(entry["epoch"], entry["valid_mrr"]) for entry in own if "valid_mrr" in entry]
    try:
        draw_epochs(path, points) if points else None
    except ExtraError:
        return False
    return bool(points)
