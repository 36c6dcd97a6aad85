"""make bench-curve: the paper's settings epoch for epoch, in the plain form and in ours.

Ours twice: to the letter, and with products of bfloat16 where the processor has them.

Writes results/benchmarks/curve-NAME-SIDE.json after every validation, with a journal like that of a
run and besides it the seconds of training alone. Training ends at the first validation after its
time is over. Ours leaves a checkpoint in runs/, also after Ctrl-C, from which `--resume` goes on.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import torch

from benchmarks.measuring import CURVES, Figures, measured_on, paper_recipe, write_result
from benchmarks.plain import PlainTraining, as_tucker, plain_training
from tucker.evaluation import evaluate
from tucker.graph import Answers, Graph, load_graph
from tucker.mixture import build_model
from tucker.models import Model
from tucker.pipeline.machine import commit, machine
from tucker.pipeline.recipe import Recipe
from tucker.training import Trainer
from tucker.training.precision import products_of

RUNS = Path("runs")
_STOPPED = 130  # what a shell says of a program that Ctrl-C ended
SHOWN = ("epoch", "seconds", "training_seconds", "valid_mrr", "commit", "cpu")


class Journal:
    """What was reached when: kept after every validation."""

    def __init__(self, graph: Graph, keep: Callable[[list[Figures]], None], limit: float) -> None:
        self._graph = graph
        self._known = Answers.of(graph.answers_known_at("valid"), graph.n_e, graph.n_r)
        self._keep = keep
        self._limit = limit
        self._origin = {"commit": commit(), "cpu": machine()["cpu"]}
        self._validating = 0.0  # seconds since the last line

    def validate(self, model: Model) -> float:
        """Return the validation MRR, and count the time that takes."""
        start = time.perf_counter()
        mrr = evaluate(model, self._graph, "valid", known=self._known).mrr
        self._validating += time.perf_counter() - start
        return mrr

    def add(self, lines: list[Figures]) -> bool:
        """Write the seconds of training alone into the last line, keep all; is the time over?"""
        *before, last = (line for line in lines if "valid_mrr" in line)
        if before:
            self._validating += before[-1]["seconds"] - before[-1]["training_seconds"]
        last["training_seconds"] = last["seconds"] - self._validating
        last |= self._origin  # one training may have parts, of several days
        self._validating = 0.0
        self._keep([{key: line[key] for key in SHOWN} for line in (*before, last)])
        return bool(last["training_seconds"] >= self._limit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", default="FB15k-237")
    parser.add_argument("--side", choices=CURVES, help="one of them alone")
    parser.add_argument("--minutes", type=float, default=60.0, help="of training in all, each side")
    parser.add_argument("--validate-every", type=int, default=1, metavar="EPOCHS")
    parser.add_argument("--resume", action="store_true", help="go on with a side of ours")
    options = parser.parse_args()
    graph, recipe = load_graph(options.dataset), paper_recipe(options.dataset)
    asked = options.side or ("ours" if options.resume else None)
    has_bfloat16 = products_of("bfloat16") is not None
    if asked == "bfloat16" and not has_bfloat16:
        parser.error("this processor has no products of bfloat16: it would train in float32")
    if options.resume and asked == "plain":
        parser.error("the plain form keeps no checkpoint to go on from")
    if options.resume and not checkpoint_of(graph, asked).exists():
        parser.error(f"{checkpoint_of(graph, asked)} is not there: measure without --resume")
    possible = [side for side in CURVES if has_bfloat16 or side != "bfloat16"]
    for side in [asked] if asked else possible:
        limit = 60 * options.minutes
        measure(side, graph, recipe, options.validate_every, limit, resume=options.resume)


def measure(
    side: str,
    graph: Graph,
    recipe: Recipe,
    validate_every: int,
    limit: float,
    *,
    resume: bool = False,
) -> None:
    """Train one side until its time is over, and write how far it is after every validation."""
    changes: dict[str, object] = {"validate_every": validate_every, "patience": 0}
    if side == "bfloat16":
        changes["products"] = "bfloat16"
    training = recipe.training.model_copy(update=changes)
    recipe = recipe.model_copy(update={"training": training})
    result: Figures = measured_on() | {
        "dataset": graph.name,
        "recipe": f"paper/{graph.name.lower()}",
        "side": side,
        "config": recipe.model_dump(mode="json", exclude={"about"}),
    }

    def keep(journal: list[Figures]) -> None:
        line = "epoch {epoch}, {training_seconds:,.0f} s: MRR {valid_mrr:.4f}\n"
        sys.stdout.write(f"{side}: {line.format(**journal[-1])}")
        sys.stdout.flush()
        write_result(f"curve-{graph.name.lower()}-{side}", result | {"journal": journal})

    torch.manual_seed(recipe.seed)
    journal = Journal(graph, keep, limit)
    if side == "plain":
        train_plain(graph, recipe, journal)
        return
    checkpoint = checkpoint_of(graph, side)
    if not resume:
        checkpoint.unlink(missing_ok=True)
    train_ours(graph, recipe, journal, checkpoint)


def checkpoint_of(graph: Graph, side: str) -> Path:
    """Return where a side of ours keeps what it needs to go on."""
    return RUNS / f"curve-{graph.name.lower()}-{side}.safetensors"


def train_plain(graph: Graph, recipe: Recipe, journal: Journal) -> None:
    """Train the plain form."""
    training, start = plain_training(graph, recipe), time.perf_counter()
    lines: list[Figures] = []
    for epoch in count(1):
        _train_epoch(training, recipe, epoch)
        if epoch % recipe.training.validate_every == 0:
            mrr = journal.validate(as_tucker(training.model))
            seconds = time.perf_counter() - start
            lines.append({"epoch": epoch, "seconds": seconds, "valid_mrr": mrr})
            if journal.add(lines):
                return


def train_ours(graph: Graph, recipe: Recipe, journal: Journal, checkpoint: Path) -> None:
    """Train our form, by the loop that every run is trained by; Ctrl-C ends the program."""
    over = False

    def record(lines: list[Figures]) -> None:
        nonlocal over
        if "valid_mrr" in lines[-1] and journal.add(lines):
            over = True
            signal.raise_signal(signal.SIGTERM)  # it saves a checkpoint, as when asked to stop

    trainer = Trainer(
        build_model(recipe.model_dump(), graph),
        Answers.of(graph.train, graph.n_e, graph.n_r),
        recipe.training,
        seed=recipe.seed,
        validate=journal.validate,
        checkpoint=checkpoint,
        record=record,
    )
    trainer.resume()
    try:
        trainer.run()
    except KeyboardInterrupt:
        if not over:
            raise SystemExit(_STOPPED) from None


def _train_epoch(training: PlainTraining, recipe: Recipe, epoch: int) -> None:
    for group in training.optimiser.param_groups:
        group["lr"] = recipe.training.learning_rate * recipe.training.decay ** (epoch - 1)
    training.model.train()
    for batch in training.batches(recipe.training.batch_size, seed=epoch):
        training.step(batch)


if __name__ == "__main__":
    main()
