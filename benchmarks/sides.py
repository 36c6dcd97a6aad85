"""The two sides of a comparison, ours and the plain form: `python -m benchmarks.sides ours NAME`.

Both are measured at the paper's settings; each prints its figures as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from itertools import chain, count, cycle
from typing import Any

import numpy as np
import torch

from benchmarks.common import Figures, in_own_process, paper_recipe, timed_steps
from benchmarks.graphs import find_graph
from benchmarks.limit import sgemm_gflops
from benchmarks.plain import plain_known, plain_ranks, plain_training
from tucker.evaluation import rank
from tucker.experiments.machine import peak_memory_mb
from tucker.experiments.recipe import Recipe
from tucker.graph import Answers, Graph, with_reciprocals
from tucker.models import Model
from tucker.runs.saved import build_model
from tucker.training import Trainer, TrainingSettings
from tucker.training.buffers import keep_freed_memory
from tucker.training.precision import products_of

PLAIN_QUERIES = 4000
STEPS = {  # loss, pairs, and what products are formed of
    "step_128": ("bernoulli", 128, "float32"),
    "step_512": ("bernoulli", 512, "float32"),
    "softmax_step_512": ("softmax", 512, "float32"),
    "bfloat16_step_128": ("bernoulli", 128, "bfloat16"),
    "bfloat16_step_512": ("bernoulli", 512, "bfloat16"),
    "bfloat16_softmax_step_512": ("softmax", 512, "bfloat16"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("side", choices=("ours", "plain"))
    parser.add_argument("dataset")
    parser.add_argument("--steps", type=int, required=True, help="timed steps; plain: a third")
    options = parser.parse_args()
    measure = measure_ours if options.side == "ours" else measure_plain
    graph, recipe = find_graph(options.dataset), paper_recipe(options.dataset)
    sys.stdout.write(json.dumps(measure(graph, recipe, options.steps)))


def measured(side: str, dataset: str, steps: int) -> Figures:
    """Return the figures of one side, of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.sides", side, dataset, "--steps", str(steps)]
    return in_own_process(*command)


def measure_ours(graph: Graph, recipe: Recipe, steps: int) -> Figures:
    figures: Figures = {"sgemm_gflops": sgemm_gflops(graph.n_e, recipe.model["d_e"])}
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    for key, (loss, size, products) in STEPS.items():
        if products == "bfloat16" and products_of(products) is None:
            continue  # this processor would train in float32
        torch.manual_seed(0)
        model = build_model(recipe.model_dump(), graph)
        update = {"loss": loss, "batch_size": size, "products": products}
        settings = recipe.training.model_copy(update=update)
        seconds = step_seconds(model, answers, settings, steps)
        figures[f"{key}_ms"] = 1e3 * seconds
        figures[f"{key}_epoch_seconds"] = seconds * len(answers) / size
    figures["queries_per_second"] = queries_per_second(model, graph)
    figures["peak_memory_mb"] = peak_memory_mb()
    return figures


def step_seconds(model: Model, answers: Answers, settings: TrainingSettings, steps: int) -> float:
    """Return the time of a step of training."""
    trainer = Trainer(model, answers, settings, seed=0)
    keep_freed_memory()  # as Trainer.run does
    model.train()
    batches = chain.from_iterable(trainer.batches.epoch(epoch) for epoch in count(1))
    return timed_steps(_looking_at_some(trainer), batches, steps)


def _looking_at_some(trainer: Trainer) -> Callable[[Any], object]:
    """Return the step as training takes it: one loss in eight is looked at."""
    looks = cycle([True] + [False] * 7)
    return lambda batch: trainer.step(batch, look=next(looks))


def queries_per_second(model: Model, graph: Graph) -> float:
    """Return how fast the test split is ranked, both sides; the filter is made beforehand."""
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    rank(model, graph.test[:500], known, graph.n_r)
    start = time.perf_counter()
    rank(model, graph.test, known, graph.n_r)
    return 2 * len(graph.test) / (time.perf_counter() - start)


def measure_plain(graph: Graph, recipe: Recipe, steps: int) -> Figures:
    torch.manual_seed(0)
    training = plain_training(graph, recipe)
    batches = chain.from_iterable(training.batches(128, seed) for seed in count())
    seconds = timed_steps(training.step, batches, max(3, steps // 3))
    queries = np.random.default_rng(0).permutation(with_reciprocals(graph.test, graph.n_r))
    queries, known = queries[:PLAIN_QUERIES], plain_known(graph)
    plain_ranks(training.model, queries[:256], known, 128)
    start = time.perf_counter()
    plain_ranks(training.model, queries, known, 128)
    return {
        "step_128_ms": 1e3 * seconds,
        "step_128_epoch_seconds": seconds * len(training.pairs) / 128,
        "queries_per_second": len(queries) / (time.perf_counter() - start),
        "peak_memory_mb": peak_memory_mb(),
    }


if __name__ == "__main__":
    main()
