"""make bench-growth: how time and memory grow as a graph or its model doubles.

From one base, each of entities, relations, d_e and training triples is doubled with the rest fixed,
on random graphs, each point in a process of its own. Writes results/benchmarks/growth.json.
"""

from __future__ import annotations

import argparse
import json
import sys

import torch

from benchmarks.graphs import random_graph
from benchmarks.measuring import Figures, in_own_process, measured_on, median_of, write_result
from benchmarks.sides import timed_ranking, timed_training
from tucker.graph import Answers
from tucker.models import TuckER
from tucker.pipeline.machine import peak_memory_mb
from tucker.training import TrainingSettings

BASE = {"n_e": 10_000, "n_r": 100, "d_e": 100, "triples": 200_000}
D_R = 100
TEST_TRIPLES = 5_000
BATCH_SIZE = 512

Point = dict[str, int]
"""The counts and the dimension of one measurement, keys as in `BASE`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--doublings", type=int, default=3, help="of each factor")
    parser.add_argument("--steps", type=int, default=20, help="timed steps")
    parser.add_argument("--rounds", type=int, default=2, help="turns of each; their median counts")
    parser.add_argument("--point", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.point:
        sys.stdout.write(json.dumps(measure(options.point, options.steps)))
        return
    about = {
        "base": BASE,
        "d_r": D_R,
        "batch_size": BATCH_SIZE,
        "loss": "softmax",
        **measured_on(),
    }
    base = measured(BASE, options)
    points = {
        factor: [base, *(measured(point, options) for point in doubled(factor, options.doublings))]
        for factor in BASE
    }
    write_result("growth", about | {"points": points})


def doubled(factor: str, doublings: int) -> list[Point]:
    return [BASE | {factor: BASE[factor] * 2**i} for i in range(1, doublings + 1)]


def measured(point: Point, options: argparse.Namespace) -> Figures:
    """Return a point with its figures, the median of some processes."""
    command = [sys.executable, "-m", "benchmarks.growth", "--point", json.dumps(point)]
    command += ["--steps", str(options.steps)]
    figures = point | median_of(
        [in_own_process(*command, ours=True) for _ in range(options.rounds)]
    )
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()
    return figures


def measure(point: Point, steps: int) -> Figures:
    torch.manual_seed(0)
    n_e, n_r = point["n_e"], point["n_r"]
    graph = random_graph(n_e, n_r, (point["triples"], 0, TEST_TRIPLES))
    model = TuckER(n_e=n_e, n_r=2 * n_r, d_e=point["d_e"], d_r=D_R)
    answers = Answers.of(graph.train, n_e, n_r)
    settings = TrainingSettings(batch_size=BATCH_SIZE, loss="softmax", label_smoothing=0.1)
    seconds = timed_training(model, answers, settings, steps).usual
    return {
        "step_ms": 1e3 * seconds,
        "epoch_seconds": seconds * len(answers) / BATCH_SIZE,
        "queries_per_second": 2 * len(graph.test) / timed_ranking(model, graph).usual,
        "peak_memory_mb": peak_memory_mb(),
    }


if __name__ == "__main__":
    main()
