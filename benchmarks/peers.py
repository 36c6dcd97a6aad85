"""PyKEEN's TuckER on a folder of train, valid and test files: its figures, printed as JSON.

Run by the Python of a virtual environment of its own: it knows PyKEEN, and nothing of tucker.
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import sys
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import torch
from pykeen import get_version
from pykeen.evaluation import LCWAEvaluationLoop, RankBasedEvaluator
from pykeen.models import TuckER
from pykeen.training import LCWATrainingLoop
from pykeen.training.callbacks import TrainingCallback
from pykeen.triples import CoreTriplesFactory, LCWAInstances, TriplesFactory

WARM_UP = 2  # steps
TURNS = 2  # of ranking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where train.txt, valid.txt and test.txt are")
    parser.add_argument("--d-e", type=int, required=True)
    parser.add_argument("--d-r", type=int, required=True)
    parser.add_argument("--dropouts", type=float, nargs=3, required=True)
    parser.add_argument("--smoothing", type=float, required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--steps", type=int, default=5, help="timed steps")
    parser.add_argument("--triples", type=int, default=500, help="test triples to rank")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    sys.stdout.write(json.dumps(measure(options)))


def measure(options: argparse.Namespace) -> dict[str, Any]:
    torch.manual_seed(0)
    train = TriplesFactory.from_path(options.folder / "train.txt", create_inverse_triples=True)
    valid, test = (
        TriplesFactory.from_path(
            options.folder / f"{split}.txt",
            entity_to_id=train.entity_to_id,
            relation_to_id=train.relation_to_id,
        )
        for split in ("valid", "test")
    )
    model = TuckER(
        triples_factory=train,
        embedding_dim=options.d_e,
        relation_dim=options.d_r,
        **{f"dropout_{i}": p for i, p in enumerate(options.dropouts)},
        random_seed=0,
    )
    step = seconds_of_a_step(model, train, options)
    batches = len(LCWAInstances.from_triples_factory(train, target=2)) // options.batch_size
    return {
        "version": get_version(),
        f"step_{options.batch_size}_ms": 1e3 * step,
        f"step_{options.batch_size}_epoch_seconds": step * batches,
        "queries_per_second": queries_per_second(model, train, valid, test, options.triples),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10,
    }


class Timed(Exception):  # noqa: N818 - the way out of a training loop that knows no other
    pass


class Clock(TrainingCallback):
    """Notes when each batch ends, and leaves after enough of them."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.steps = steps
        self.ends: list[float] = []

    def post_batch(self, *_: Any, **__: Any) -> None:
        self.ends.append(time.perf_counter())
        if len(self.ends) == WARM_UP + self.steps:
            raise Timed

    def seconds_of_a_step(self) -> float:
        ends = self.ends[WARM_UP - 1 :]
        return median(end - start for start, end in pairwise(ends))


def seconds_of_a_step(model: TuckER, train: TriplesFactory, options: argparse.Namespace) -> float:
    optimiser = torch.optim.Adam(model.get_grad_params(), lr=options.rate)
    loop = LCWATrainingLoop(
        model=model,
        triples_factory=train,
        optimizer=optimiser,
        automatic_memory_optimization=False,
    )
    clock = Clock(options.steps)
    try:
        loop.train(
            train,
            num_epochs=1,
            batch_size=options.batch_size,
            label_smoothing=options.smoothing,
            callbacks=clock,
            use_tqdm=False,
        )
    except Timed:
        return clock.seconds_of_a_step()
    raise SystemExit("an epoch had fewer batches than were to be timed")


def queries_per_second(
    model: TuckER,
    train: TriplesFactory,
    valid: TriplesFactory,
    test: TriplesFactory,
    triples: int,
) -> float:
    """Rank some test triples on both sides; the filters are made before the clock starts."""
    chosen = test.mapped_triples[torch.randperm(len(test.mapped_triples))[:triples]]
    loop = LCWAEvaluationLoop(
        triples_factory=CoreTriplesFactory(
            chosen, num_entities=train.num_entities, num_relations=train.real_num_relations
        ),
        model=model,
        evaluator=RankBasedEvaluator(),
        additional_filter_triples=[train, valid, test],
    )
    seconds = []
    for _ in range(1 + TURNS):  # the first warms up
        start = time.perf_counter()
        loop.evaluate(use_tqdm=False)
        seconds.append(time.perf_counter() - start)
    return 2 * len(chosen) / median(seconds[1:])


if __name__ == "__main__":
    main()
