"""make bench-curve: the paper's settings epoch for epoch, in the plain form and in ours.

Writes results/benchmarks/curve-NAME-FORM.json after every validation, with a journal like that of a
run. The clock stands still while validating; it stops after the epoch in which the time is over.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import count

import torch

from benchmarks.common import Figures, measured_on, paper_recipe, write_result
from benchmarks.plain import PlainTraining, as_tucker, plain_training
from tucker.evaluation import evaluate
from tucker.experiments.recipe import Recipe
from tucker.graph import Answers, Graph, load_graph
from tucker.models import Model
from tucker.runs.saved import build_model
from tucker.training import Trainer

Validate = Callable[[Model], float]
Record = Callable[[int, float, float], bool]
"""Keeps epoch, seconds spent and validation MRR; says whether the time is over."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", default="FB15k-237")
    parser.add_argument("--form", choices=FORMS, help="one of them alone")
    parser.add_argument("--minutes", type=float, default=60.0, help="of each form")
    parser.add_argument("--validate-every", type=int, default=1, metavar="EPOCHS")
    options = parser.parse_args()
    graph, recipe = load_graph(options.dataset), paper_recipe(options.dataset)
    training = recipe.training.model_copy(update={"validate_every": options.validate_every})
    recipe = recipe.model_copy(update={"training": training})
    for form in [options.form] if options.form else FORMS:
        measure(form, graph, recipe, 60 * options.minutes)


def measure(form: str, graph: Graph, recipe: Recipe, limit: float) -> None:
    """Train one form until the time is over, and write how far it is after every validation."""
    known = Answers.of(graph.answers_known_at("valid"), graph.n_e, graph.n_r)
    result: Figures = measured_on() | {
        "dataset": graph.name,
        "recipe": f"paper/{graph.name.lower()}",
        "form": form,
        "config": recipe.model_dump(mode="json", exclude={"about"}),
        "journal": [],
    }

    def record(epoch: int, seconds: float, mrr: float) -> bool:
        sys.stdout.write(f"{form}: epoch {epoch}, {seconds:,.0f} s: MRR {mrr:.4f}\n")
        sys.stdout.flush()
        result["journal"].append({"epoch": epoch, "seconds": seconds, "valid_mrr": mrr})
        write_result(f"curve-{graph.name.lower()}-{form}", result)
        return seconds >= limit

    torch.manual_seed(recipe.seed)
    FORMS[form](
        graph, recipe, lambda model: evaluate(model, graph, "valid", known=known).mrr, record
    )


def train_plain(graph: Graph, recipe: Recipe, validate: Validate, record: Record) -> None:
    """Train the plain form."""
    training, spent = plain_training(graph, recipe), 0.0
    for epoch in count(1):
        spent += _epoch_seconds(training, recipe, epoch)
        if epoch % recipe.training.validate_every:
            continue
        if record(epoch, spent, validate(as_tucker(training.model))):
            return


def train_tucker(graph: Graph, recipe: Recipe, validate: Validate, record: Record) -> None:
    """Train our form, by the loop that every run is trained by."""
    validating = 0.0

    def timed(model: Model) -> float:
        nonlocal validating
        start = time.perf_counter()
        mrr = validate(model)
        validating += time.perf_counter() - start
        return mrr

    def after_epoch(journal: list[Figures]) -> None:
        last = journal[-1]
        if "valid_mrr" in last and record(
            last["epoch"], last["seconds"] - validating, last["valid_mrr"]
        ):
            raise KeyboardInterrupt

    model = build_model(recipe.model_dump(), graph)
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    trainer = Trainer(
        model, answers, recipe.training, seed=recipe.seed, validate=timed, record=after_epoch
    )
    try:
        trainer.run()
    except KeyboardInterrupt:
        return


def _epoch_seconds(training: PlainTraining, recipe: Recipe, epoch: int) -> float:
    """Train for one epoch, and return how long it took."""
    for group in training.optimiser.param_groups:
        group["lr"] = recipe.training.learning_rate * recipe.training.decay ** (epoch - 1)
    training.model.train()
    start = time.perf_counter()
    for batch in training.batches(recipe.training.batch_size, seed=epoch):
        training.step(batch)
    return time.perf_counter() - start


FORMS = {"plain": train_plain, "tucker": train_tucker}


if __name__ == "__main__":
    main()
