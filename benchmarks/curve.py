"""make bench-curve: validation MRR of the plain form over its time, at the paper's settings.

Writes results/benchmarks/curve-NAME.json after every validation, with a journal like that of a run.
The clock stands still while validating.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count

import torch

from benchmarks.common import Figures, measured_on, paper_recipe, write_result
from benchmarks.plain import PlainTraining, as_tucker, plain_training
from tucker.evaluation import evaluate
from tucker.experiments.recipe import Recipe
from tucker.graph import Answers, Graph, load_graph


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", default="FB15k-237")
    parser.add_argument("--minutes", type=float, default=60.0, help="its last epoch is finished")
    parser.add_argument("--validate-every", type=int, default=1, metavar="EPOCHS")
    options = parser.parse_args()
    graph, recipe = load_graph(options.dataset), paper_recipe(options.dataset)
    about = measured_on()
    for result in curve(graph, recipe, 60 * options.minutes, options.validate_every):
        last = result["journal"][-1]
        sys.stdout.write("epoch {epoch}, {seconds:,.0f} s: MRR {valid_mrr:.4f}\n".format(**last))
        sys.stdout.flush()
        write_result(f"curve-{options.dataset.lower()}", about | result)


def curve(graph: Graph, recipe: Recipe, seconds: float, validate_every: int) -> Iterator[Figures]:
    """Train until the time is over, and give the result so far after every validation."""
    torch.manual_seed(recipe.seed)
    training = plain_training(graph, recipe)
    known = Answers.of(graph.answers_known_at("valid"), graph.n_e, graph.n_r)
    spent, journal = 0.0, list[Figures]()
    for epoch in count(1):
        spent += epoch_seconds(training, recipe, epoch)
        if spent < seconds and epoch % validate_every:
            continue
        valid = evaluate(as_tucker(training.model), graph, "valid", known=known)
        journal.append({"epoch": epoch, "seconds": spent, "valid_mrr": valid.mrr})
        yield {
            "dataset": graph.name,
            "model": "plain",
            "config": recipe.model_dump(mode="json", exclude={"about"}),
            "seed": recipe.seed,
            "parameters": sum(weights.numel() for weights in training.model.parameters()),
            "seconds": spent,
            "valid": valid.as_dict(),
            "journal": journal,
        }
        if spent >= seconds:
            return


def epoch_seconds(training: PlainTraining, recipe: Recipe, epoch: int) -> float:
    """Train for one epoch, and return how long it took."""
    for group in training.optimiser.param_groups:
        group["lr"] = recipe.training.learning_rate * recipe.training.decay ** (epoch - 1)
    training.model.train()
    start = time.perf_counter()
    for batch in training.batches(recipe.training.batch_size, seed=epoch):
        training.step(batch)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
