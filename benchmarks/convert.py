"""make bench-convert: bilinear runs of the family on umls, and the TuckERs they become.

Each run is converted as `tucker convert` does it, saved and loaded again; then the scores of 10,000
random triples and every rank of the test split are compared.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray

import tucker
from benchmarks.measuring import Figures, measured_on, write_result
from tucker.evaluation import rank
from tucker.graph import Answers

MODELS = ("complex", "simple", "distmult", "rescal", "cp")
TRIPLES = 10_000


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--runs", type=Path, default=Path("runs"))
    said = words.parse_args()
    found = {name: compared(said.runs / f"family-umls-{name}-seed0") for name in MODELS}
    write_result("convert", {"graph": "umls", "triples": TRIPLES, **found, **measured_on()})


def compared(path: Path) -> Figures:
    """Return how far a run and the TuckER that it becomes lie apart."""
    before = tucker.load(path)
    with TemporaryDirectory() as folder:
        before.as_tucker().save(Path(folder) / "run")
        after = tucker.load(Path(folder) / "run")
    random = torch.Generator().manual_seed(0)
    sizes = (before.model.n_e, before.model.n_r, before.model.n_e)
    triples = [torch.randint(size, (TRIPLES,), generator=random) for size in sizes]
    with torch.no_grad():
        one, other = before.model.score(*triples), after.model.score(*triples)
    ranks, others = ranks_of(before), ranks_of(after)
    return {
        "largest_score": float(one.abs().max()),
        "largest_difference": float((one - other).abs().max() / one.abs().max()),
        "ranks": ranks.size,
        "differing_ranks": int((ranks != others).sum()),
        "largest_rank_difference": float(abs(ranks - others).max()),
        "mrr": float((1 / ranks).mean()),
        "tucker_mrr": float((1 / others).mean()),
    }


def ranks_of(run: tucker.Run) -> NDArray[np.float64]:
    """Return the filtered rank of each test triple, on both sides."""
    graph = run.graph
    known = Answers.of(graph.answers_known_at("test"), graph.n_e, graph.n_r)
    return rank(run.model, graph.test, known, graph.n_r).ranks()


if __name__ == "__main__":
    main()
