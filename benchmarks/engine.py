"""make bench: the engine against its plain PyTorch form, in one run on one machine.

Uses FB15k-237 where it can be found (TUCKER_DATA, or the cache of `tucker datasets fetch`), else a
random graph of the same counts. Prints a table, and writes results/benchmarks/engine.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, count, cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import torch

from benchmarks.plain import PlainTraining, PlainTuckER, plain_known, plain_ranks
from tucker.errors import TuckerError
from tucker.evaluation import rank
from tucker.experiments.train import peak_memory_mb
from tucker.graph import Answers, Graph, Vocabulary, load_graph, with_reciprocals
from tucker.models import TuckER
from tucker.training import Trainer, TrainingSettings
from tucker.training.buffers import keep_freed_memory

DROPOUTS = (0.3, 0.4, 0.5)
D_E = D_R = 200
SMOOTHING = 0.1
RATE = 0.0005


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", default="FB15k-237")
    parser.add_argument("--steps", type=int, default=40, help="timed steps of ours; plain: a third")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each; the best one counts")
    parser.add_argument("--out", type=Path, default=Path("results/benchmarks/engine.json"))
    parser.add_argument("--part", choices=("ours", "plain"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    graph = find_graph(options.dataset)
    if options.part:
        measure = measure_ours if options.part == "ours" else measure_plain
        sys.stdout.write(json.dumps(measure(graph, options.steps)))
        return
    result: dict[str, Any] = {
        "graph": graph.name,
        "d_e": D_E,
        "d_r": D_R,
        "commit": commit(),
        "machine": machine(),
    }
    rounds = [
        {part: in_own_process(part, options) for part in ("plain", "ours")}
        for _ in range(options.rounds)
    ]
    result |= {part: best_of([one[part] for one in rounds]) for part in ("plain", "ours")}
    result["rounds"] = rounds
    plain, ours = result["plain"], result["ours"]
    result["ratios"] = {
        "step_128": plain["step_128_ms"] / ours["step_128_ms"],
        "ranking": ours["queries_per_second"] / plain["queries_per_second"],
    }
    product = (
        2 * graph.n_e * D_E / 1e9 / ours["sgemm_gflops"]
    )  # seconds for a query and all objects
    result["share_of_limit"] = {
        "ranking": ours["queries_per_second"] * product,
        "step_128": 3 * 128 * product / (ours["step_128_ms"] / 1e3),
        "step_512": 3 * 512 * product / (ours["step_512_ms"] / 1e3),
        "softmax_step_512": 3 * 512 * product / (ours["softmax_step_512_ms"] / 1e3),
    }
    if graph.name != "random":
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(result, indent=2) + "\n")
    show(result)


def find_graph(name: str) -> Graph:
    try:
        return load_graph(name)
    except TuckerError as error:
        sys.stderr.write(f"{error}\nusing a random graph of the same counts instead\n")
        random = np.random.default_rng(0)
        n_e, n_r = 14_541, 237
        parts = [
            np.stack([random.integers(n, size=size) for n in (n_e, n_r, n_e)], axis=1)
            for size in (272_115, 17_535, 20_466)
        ]
        names = [
            Vocabulary(kind, pl.Series([str(i) for i in range(n)]))
            for kind, n in (("entity", n_e), ("relation", n_r))
        ]
        return Graph("random", *names, *parts)


def in_own_process(part: str, options: argparse.Namespace) -> dict[str, Any]:
    """Measure one side alone, so that its peak memory is its own."""
    command = [sys.executable, "-m", "benchmarks.engine", "--part", part]
    command += ["--dataset", options.dataset, "--steps", str(options.steps)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return dict(json.loads(done.stdout))


def best_of(rounds: list[dict[str, float]]) -> dict[str, float]:
    """Return each figure of the round where it was best: others slow a machine, none speeds it."""
    best = {}
    for key in rounds[0]:
        most = key.endswith(("per_second", "gflops", "memory_mb"))  # peak memory: the worst
        best[key] = (max if most else min)(one[key] for one in rounds)
    return best


def measure_ours(graph: Graph, steps: int) -> dict[str, Any]:
    result: dict[str, Any] = {"sgemm_gflops": sgemm_gflops(graph.n_e)}
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    names = ("dropout_subject", "dropout_relation", "dropout_query")
    for loss, size in (("bernoulli", 128), ("bernoulli", 512), ("softmax", 512)):
        torch.manual_seed(0)
        model = TuckER(
            n_e=graph.n_e, n_r=2 * graph.n_r, d_e=D_E, d_r=D_R,
            **dict(zip(names, DROPOUTS, strict=True)),
        )  # fmt: skip
        settings = TrainingSettings(
            batch_size=size, loss=loss, label_smoothing=SMOOTHING, learning_rate=RATE
        )
        trainer = Trainer(model, answers, settings, seed=0)
        keep_freed_memory()  # as Trainer.run does
        model.train()
        batches = chain.from_iterable(trainer.batches.epoch(epoch) for epoch in count(1))
        seconds = timed_steps(looking_at_some(trainer), batches, steps)
        key = f"step_{size}" if loss == "bernoulli" else f"softmax_step_{size}"
        result[f"{key}_ms"] = 1e3 * seconds
        result[f"{key}_epoch_seconds"] = seconds * len(answers) / size
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    rank(model, graph.test[:500], known, graph.n_r)
    start = time.perf_counter()
    rank(model, graph.test, known, graph.n_r)
    speed = 2 * len(graph.test) / (time.perf_counter() - start)
    result["queries_per_second"] = speed
    result["peak_memory_mb"] = peak_memory_mb()
    return result


def looking_at_some(trainer: Trainer) -> Callable[[Any], object]:
    """Return the step as training takes it: one loss in eight is looked at."""
    looks = cycle([True] + [False] * 7)
    return lambda batch: trainer.step(batch, look=next(looks))


def measure_plain(graph: Graph, steps: int) -> dict[str, Any]:
    torch.manual_seed(0)
    model = PlainTuckER(graph.n_e, 2 * graph.n_r, D_E, D_R, DROPOUTS)
    training = PlainTraining(graph, model, SMOOTHING, RATE)
    batches = chain.from_iterable(training.batches(128, seed) for seed in count())
    seconds = timed_steps(training.step, batches, max(3, steps // 3))
    queries = np.random.default_rng(0).permutation(with_reciprocals(graph.test, graph.n_r))[:4000]
    known = plain_known(graph)
    plain_ranks(model, queries[:256], known, 128)
    start = time.perf_counter()
    plain_ranks(model, queries, known, 128)
    return {
        "step_128_ms": 1e3 * seconds,
        "step_128_epoch_seconds": seconds * len(training.pairs) / 128,
        "queries_per_second": len(queries) / (time.perf_counter() - start),
        "peak_memory_mb": peak_memory_mb(),
    }


def timed_steps(step: Callable[[Any], object], batches: Iterator[Any], steps: int) -> float:
    """Return the mean seconds of a step, after a few that warm up."""
    for batch in islice(batches, 5):
        step(batch)
    timed = list(islice(batches, steps))
    start = time.perf_counter()
    for batch in timed:
        step(batch)
    return (time.perf_counter() - start) / len(timed)


def sgemm_gflops(n_e: int) -> float:
    """Return the speed of the machine's matrix product into kept memory, at the step's shapes."""
    E, q = torch.randn(n_e, D_E), torch.randn(512, D_E)
    z, grad_E, grad_q = torch.empty(n_e, 512), torch.empty(n_e, D_E), torch.empty(512, D_E)
    products: list[Callable[[], object]] = [
        lambda: torch.mm(E, q.T, out=z),
        lambda: torch.mm(z, q, out=grad_E),
        lambda: torch.mm(z.T, E, out=grad_q),
    ]
    best = 0.0
    for product in products:
        for _ in range(8):
            start = time.perf_counter()
            product()
            best = max(best, 2 * n_e * 512 * D_E / 1e9 / (time.perf_counter() - start))
    return best


def commit() -> str:
    """Return the commit that is measured, marked if files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    model = ""
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    return {
        "cpu": model or platform.processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def show(result: dict[str, Any]) -> None:
    plain, ours = result["plain"], result["ours"]
    for key in sorted(ours):
        theirs = f"{plain[key]:12.2f}" if key in plain else " " * 12
        sys.stdout.write(f"{key:32} plain {theirs}   ours {ours[key]:12.2f}\n")
    for key, ratio in result["ratios"].items():
        sys.stdout.write(f"{key:32} ours is {ratio:.1f} times as fast\n")
    for key, share in result["share_of_limit"].items():
        sys.stdout.write(f"{key:32} {share:.0%} of the limit set by its products\n")


if __name__ == "__main__":
    main()
