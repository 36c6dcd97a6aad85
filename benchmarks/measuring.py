"""What the benchmarks share: processes of their own, the clock, the rounds, the result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from tucker.files import write_text
from tucker.pipeline.machine import commit, machine
from tucker.pipeline.recipe import Recipe
from tucker.pipeline.shipped import load_recipe

RESULTS = Path("results/benchmarks")
WARM_UP = 5  # steps
CURVES = {"plain": "plain PyTorch", "ours": "Tucker", "bfloat16": "Tucker, bfloat16"}
"""What is trained epoch for epoch, and how it is called."""

Figures = dict[str, Any]
"""What was measured, by name: `_ms`, `_seconds`, `_per_second`, `_mb` say the unit."""


def measured_on() -> Figures:
    """Say what is measured, and where."""
    return {"commit": commit(), "machine": machine()}


def paper_recipe(dataset: str) -> Recipe:
    """Return the paper's settings for a dataset."""
    return load_recipe(f"paper/{dataset.lower()}")


def in_own_process(*command: str, ours: bool = False) -> Figures:
    """Measure something alone, so that its peak memory is its own.

    What `import tucker` set for torch's threads (decision 0008) is for ours alone.
    """
    theirs = {key: value for key, value in os.environ.items() if key != "GOMP_SPINCOUNT"}
    environment = None if ours else theirs
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return dict(json.loads(done.stdout))


def median_of(rounds: list[Figures]) -> Figures:
    """Return the median of each figure over the rounds; of peak memory, the most."""
    return {
        key: max(one[key] for one in rounds) if key.endswith("memory_mb") else _middle(rounds, key)
        for key in rounds[0]
    }


def _middle(rounds: list[Figures], key: str) -> Any:
    values = [one[key] for one in rounds]
    return values[0] if isinstance(values[0], str) else median(values)


@dataclass(frozen=True)
class Timed:
    """The seconds that something takes: as a rule, and at best."""

    usual: float
    best: float


def timed_steps(
    step: Callable[[Any], object],
    batches: Iterator[Any],
    steps: int,
    *,
    cycle: int = 1,
    beside: Callable[[], object] = lambda: None,
) -> Timed:
    """Time steps after a few that warm up, with something done before each.

    The first of each cycle is another kind of step than the rest, and counts by its share.
    """
    for batch in islice(batches, WARM_UP):
        step(batch)
    seconds = []
    for batch in islice(batches, steps):
        beside()
        start = time.perf_counter()
        step(batch)
        seconds.append(time.perf_counter() - start)
    first = seconds[::cycle]
    rest = [second for place, second in enumerate(seconds) if place % cycle] or first
    usual, best = ((kind(first) + (cycle - 1) * kind(rest)) / cycle for kind in (median, min))
    return Timed(usual, best)


def write_result(name: str, result: Figures) -> None:
    path = RESULTS / f"{name}.json"
    write_text(path, json.dumps(result, indent=2) + "\n")
    sys.stderr.write(f"wrote {path}\n")
