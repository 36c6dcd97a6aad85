"""make bench-index: FAISS and USearch on the entity vectors of runs, or on very many around them.

Measures each index in a process of its own, on one thread and by the processor's time, beside the
exact answer, and writes results/benchmarks/index.json; with --vectors N, index-N.json. The
libraries live in a virtual environment of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional as F

from benchmarks.common import Figures, in_own_process, measured_on, write_result
from tucker.runs import load_run

SCRIPT = Path(__file__).with_name("index_sides.py")
SIDES = ("exact", "faiss-hnsw", "faiss-ivf", "usearch-hnsw")
NOISE = 0.5  # length of what is added to a vector of length 1 to get one more like it

Floats = npt.NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+", help="the folders of runs")
    parser.add_argument("--python", default=".venv-index/bin/python", help="that knows the indices")
    parser.add_argument(
        "--vectors", type=int, help="draw so many around the first run's instead of measuring those"
    )
    parser.add_argument("--queries", type=int, default=1000)
    options = parser.parse_args()
    sets = [entity_vectors(path) for path in options.runs]
    file, drawn = "index", options.vectors
    if drawn:
        name, vectors = sets[0]
        around = f"{drawn:,} vectors drawn around the {len(vectors):,} of {name}'s entities"
        sets = [(around, many_like(vectors, drawn))]
        file = f"index-{drawn}"
    result: Figures = {"queries": options.queries, "threads": 1, "times": "of the processor"}
    result |= {"load": os.getloadavg()[0], "sets": [], **measured_on()}
    result |= {"noise": NOISE} if drawn else {}
    for name, vectors in sets:
        measured = measure(options.python, vectors, options.queries)
        rows, width = vectors.shape
        result["sets"].append({"name": name, "rows": rows, "width": width, "indices": measured})
        write_result(file, result)
    sys.stdout.write(json.dumps(result["sets"], indent=2) + "\n")


def entity_vectors(path: Path) -> tuple[str, Floats]:
    """Return the name of a run's graph and its entities' vectors, each of length 1."""
    run = load_run(path)
    with torch.no_grad():
        vectors = F.normalize(run.model.entities(), dim=1)
    return run.graph.name, vectors.numpy().astype(np.float32)


def many_like(vectors: Floats, rows: int, seed: int = 0) -> Floats:
    """Draw vectors near those given, each of length 1, (rows, width)."""
    random = np.random.default_rng(seed)
    noise = random.normal(size=(rows, vectors.shape[1])).astype(np.float32)
    noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    more = noise + vectors[random.integers(len(vectors), size=rows)]
    return np.asarray(more / np.linalg.norm(more, axis=1, keepdims=True), dtype=np.float32)


def measure(python: str, vectors: Floats, queries: int) -> dict[str, Figures]:
    """Return the figures of every index on the same vectors and questions."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "vectors.npy", vectors)
        words = [python, "-P", str(SCRIPT), folder, str(queries)]
        return {side: in_own_process(*words, side) for side in SIDES}


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"  # of the processes that measure
    main()
