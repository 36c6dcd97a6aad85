"""One index of vectors: its figures, printed as JSON.

Run by the Python of a virtual environment of its own: it knows FAISS and USearch, and nothing of
tucker. The exact side comes first; it leaves the true neighbours for the others.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

K = 10
LINKS, BUILD_EFFORT = 16, 128  # as in tucker.prediction.index
HNSW_EFFORTS = (64, 256)
IVF_EFFORTS = (16, 64)  # of its lists, that are looked at

Search = Callable[[Any, int], Any]  # one vector and an effort in, ids of the nearest out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where vectors.npy is")
    parser.add_argument("queries", type=int)
    parser.add_argument("side", choices=BUILDERS)
    options = parser.parse_args()
    vectors = np.load(options.folder / "vectors.npy")
    random = np.random.default_rng(0)
    queries = vectors[random.choice(len(vectors), min(options.queries, len(vectors)), False)]
    build, efforts = BUILDERS[options.side]
    before, start = memory_mb(), time.process_time()
    version, search = build(vectors)
    figures = {"version": version, "build_seconds": time.process_time() - start}
    figures["added_memory_mb"] = memory_mb() - before
    truth = options.folder / "truth.npy"
    figures["searches"] = []
    for effort in efforts:
        start = time.process_time()
        found = np.stack([search(query, effort) for query in queries])
        seconds = time.process_time() - start
        if options.side == "exact":
            np.save(truth, found)
        figures["searches"].append(
            {
                "effort": effort,
                "queries_per_second": len(queries) / seconds,
                "recall_at_10": recall(found, np.load(truth)),
            }
        )
    sys.stdout.write(json.dumps(figures) + "\n")


def exact(vectors: Any) -> tuple[str, Search]:
    def search(query: Any, effort: int) -> Any:
        cosines = vectors @ query
        best = np.argpartition(-cosines, K)[:K]
        return best[np.argsort(-cosines[best])]

    return np.__version__, search


def faiss_hnsw(vectors: Any) -> tuple[str, Search]:
    import faiss  # noqa: PLC0415 - only one side needs it

    faiss.omp_set_num_threads(1)
    index = faiss.IndexHNSWFlat(vectors.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = BUILD_EFFORT
    index.add(vectors)

    def search(query: Any, effort: int) -> Any:
        index.hnsw.efSearch = effort
        return index.search(query[None], K)[1][0]

    return faiss.__version__, search


def faiss_ivf(vectors: Any) -> tuple[str, Search]:
    import faiss  # noqa: PLC0415

    faiss.omp_set_num_threads(1)
    lists = int(4 * len(vectors) ** 0.5)
    width, inner = vectors.shape[1], faiss.METRIC_INNER_PRODUCT
    cells = faiss.IndexFlatIP(width)
    index = faiss.IndexIVFFlat(cells, width, lists, inner)
    index.train(vectors)
    index.add(vectors)

    def search(query: Any, effort: int) -> Any:
        index.nprobe = effort
        return index.search(query[None], K)[1][0]

    return faiss.__version__, search


def usearch_hnsw(vectors: Any) -> tuple[str, Search]:
    import usearch  # noqa: PLC0415
    from usearch.index import Index  # noqa: PLC0415

    index = Index(
        ndim=vectors.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=LINKS,
        expansion_add=BUILD_EFFORT,
    )
    index.add(np.arange(len(vectors)), vectors, threads=1)

    def search(query: Any, effort: int) -> Any:
        index.expansion_search = effort
        return index.search(query, K, threads=1).keys.astype(np.int64)

    return usearch.__version__, search


def recall(found: Any, truth: Any) -> float:
    """Return the share of the true neighbours that were found."""
    return float(np.mean([len(set(a) & set(b)) / K for a, b in zip(found, truth, strict=True)]))


def memory_mb() -> float:
    """Return what is held now: a process begins with the peak of the one that started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 2**10


BUILDERS: dict[str, tuple[Callable[[Any], tuple[str, Search]], tuple[int, ...]]] = {
    "exact": (exact, (0,)),
    "faiss-hnsw": (faiss_hnsw, HNSW_EFFORTS),
    "faiss-ivf": (faiss_ivf, IVF_EFFORTS),
    "usearch-hnsw": (usearch_hnsw, HNSW_EFFORTS),
}

if __name__ == "__main__":
    main()
