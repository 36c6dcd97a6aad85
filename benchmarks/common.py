"""What the benchmarks share: processes of their own, the clock, the best round, the result."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tucker.experiments.machine import commit, machine
from tucker.experiments.recipe import Recipe, load_recipe, make_recipe
from tucker.experiments.shipped import find_recipe
from tucker.files import write_text

RESULTS = Path("results/benchmarks")
WARM_UP = 5  # steps

Figures = dict[str, Any]
"""What was measured, by name: `_ms`, `_seconds`, `_per_second`, `_mb` say the unit."""


def measured_on() -> Figures:
    """Say what is measured, and where."""
    return {"commit": commit(), "machine": machine()}


def paper_recipe(dataset: str) -> Recipe:
    """Return the paper's settings for a dataset."""
    return make_recipe(load_recipe(find_recipe(f"paper/{dataset.lower()}")))


def in_own_process(*command: str) -> Figures:
    """Measure something alone, so that its peak memory is its own."""
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return dict(json.loads(done.stdout))


def best_of(rounds: list[Figures]) -> Figures:
    """Return each figure of the round where it was best: others slow a machine, none speeds it."""
    best = {}
    for key in rounds[0]:
        most = key.endswith(("per_second", "gflops", "memory_mb"))  # peak memory: the worst
        best[key] = (max if most else min)(one[key] for one in rounds)
    return best


def timed_steps(step: Callable[[Any], object], batches: Iterator[Any], steps: int) -> float:
    """Return the mean seconds of a step, after a few that warm up."""
    for batch in islice(batches, WARM_UP):
        step(batch)
    timed = list(islice(batches, steps))
    start = time.perf_counter()
    for batch in timed:
        step(batch)
    return (time.perf_counter() - start) / len(timed)


def write_result(name: str, result: Figures) -> None:
    path = RESULTS / f"{name}.json"
    write_text(path, json.dumps(result, indent=2) + "\n")
    sys.stderr.write(f"wrote {path}\n")
