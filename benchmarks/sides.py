"""The two sides of a comparison, ours and the plain form: `python -m benchmarks.sides ours NAME`.

Both are measured at the paper's settings; each prints its figures as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import chain, count, cycle, repeat

import numpy as np
import torch

from benchmarks.graphs import find_graph
from benchmarks.limit import Products
from benchmarks.measuring import (
    WARM_UP,
    Figures,
    Timed,
    in_own_process,
    paper_recipe,
    timed_steps,
)
from benchmarks.plain import plain_known, plain_ranks, plain_training
from tucker.evaluation import rank
from tucker.graph import Answers, Graph, with_reciprocals
from tucker.mixture import build_model
from tucker.models import Model
from tucker.pipeline.machine import peak_memory_mb
from tucker.pipeline.recipe import Recipe
from tucker.training import Trainer, TrainingSettings
from tucker.training.buffers import keep_freed_memory
from tucker.training.precision import products_of

PLAIN_QUERIES = 2000
PLAIN_TURNS = 3
TURNS = 3  # of ranking the test split
PRODUCTS = 5  # formed before each of these
LOOKS = 8  # steps, of which training looks at the loss of one
STEPS = {  # loss, pairs, how many of a relation stand together, and what products are formed of
    "step_128": ("bernoulli", 128, 16, "float32"),
    "step_512": ("bernoulli", 512, 32, "float32"),
    "groups_of_16_step_512": ("bernoulli", 512, 16, "float32"),
    "softmax_step_512": ("softmax", 512, 32, "float32"),
    "bfloat16_step_128": ("bernoulli", 128, 16, "bfloat16"),
    "bfloat16_step_512": ("bernoulli", 512, 32, "bfloat16"),
    "bfloat16_softmax_step_512": ("softmax", 512, 32, "bfloat16"),
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
    return in_own_process(*command, ours=side == "ours")


def measure_ours(graph: Graph, recipe: Recipe, steps: int) -> Figures:
    figures: Figures = {}
    answers, d_e = Answers.of(graph.train, graph.n_e, graph.n_r), recipe.model["d_e"]
    settings = {}
    for key, (loss, size, together, products) in STEPS.items():
        if products == "bfloat16" and products_of(products) is None:
            continue  # this processor would train in float32
        update = {"loss": loss, "batch_size": size, "group_size": together, "products": products}
        settings[key] = recipe.training.model_copy(update=update)
        model = new_model(recipe, graph)
        timed_training(model, answers, settings[key], 1)
    rank(model, graph.test[:500], Answers.of(graph.known, graph.n_e, graph.n_r), graph.n_r)
    figures["peak_memory_mb"] = peak_memory_mb()  # before the limit takes memory of its own
    for key, one in settings.items():
        limit = Products(graph.n_e, d_e)
        step = timed_training(new_model(recipe, graph), answers, one, steps, beside=limit)
        figures[f"{key}_ms"], figures[f"{key}_best_ms"] = 1e3 * step.usual, 1e3 * step.best
        figures[f"{key}_gflops"], figures[f"{key}_best_gflops"] = limit.gflops()
        figures[f"{key}_epoch_seconds"] = step.usual * len(answers) / one.batch_size
    limit = Products(graph.n_e, d_e)
    ranking = timed_ranking(model, graph, beside=lambda: [limit() for _ in range(PRODUCTS)])
    queries = 2 * len(graph.test)
    figures["queries_per_second"] = queries / ranking.usual
    figures["best_queries_per_second"] = queries / ranking.best
    figures["ranking_gflops"], figures["ranking_best_gflops"] = limit.gflops()
    return figures


def new_model(recipe: Recipe, graph: Graph) -> Model:
    torch.manual_seed(0)
    return build_model(recipe.model_dump(), graph)


def timed_training(
    model: Model,
    answers: Answers,
    settings: TrainingSettings,
    steps: int,
    *,
    beside: Callable[[], object] = lambda: None,
) -> Timed:
    """Time steps of training, of which one in eight is looked at."""
    trainer = Trainer(model, answers, settings, seed=0)
    keep_freed_memory()  # as Trainer.run does
    model.train()
    batches = chain.from_iterable(trainer.batches.epoch(epoch) for epoch in count(1))
    # Those that warm up are not looked at.
    looks = chain([False] * WARM_UP, cycle([True] + [False] * (LOOKS - 1)))
    return timed_steps(
        lambda batch: trainer.step(batch, look=next(looks)),
        batches,
        steps,
        cycle=LOOKS,
        beside=beside,
    )


def timed_ranking(
    model: Model, graph: Graph, *, beside: Callable[[], object] = lambda: None
) -> Timed:
    """Time the ranking of the test split, both sides; the filter is made beforehand."""
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    facts = chain(repeat(graph.test[:100], WARM_UP), repeat(graph.test))
    return timed_steps(
        lambda some: rank(model, some, known, graph.n_r), facts, TURNS, beside=beside
    )


def measure_plain(graph: Graph, recipe: Recipe, steps: int) -> Figures:
    torch.manual_seed(0)
    training = plain_training(graph, recipe)
    batches = chain.from_iterable(training.batches(128, seed) for seed in count())
    seconds = timed_steps(training.step, batches, max(3, steps // 3)).usual
    queries = np.random.default_rng(0).permutation(with_reciprocals(graph.test, graph.n_r))
    queries, known = queries[:PLAIN_QUERIES], plain_known(graph)
    ranking = timed_steps(
        lambda some: plain_ranks(training.model, some, known, 128),
        chain(repeat(queries[:256], WARM_UP), repeat(queries)),
        PLAIN_TURNS,
    )
    return {
        "step_128_ms": 1e3 * seconds,
        "step_128_epoch_seconds": seconds * len(training.pairs) / 128,
        "queries_per_second": len(queries) / ranking.usual,
        "peak_memory_mb": peak_memory_mb(),
    }


if __name__ == "__main__":
    main()
