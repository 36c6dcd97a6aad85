"""Results as the benchmarks write them, with round figures."""

from __future__ import annotations

from typing import Any

ORIGIN = {
    "commit": "0123456789ab",
    "machine": {"cpu": "a CPU", "cores": 2, "threads": 2, "python": "3.11.7", "torch": "2.13.0"},
}


def side(step_ms: float, queries: float, memory: float) -> dict[str, float]:
    return {
        "step_128_ms": step_ms,
        "step_128_epoch_seconds": 1.17 * step_ms,
        "queries_per_second": queries,
        "peak_memory_mb": memory,
    }


def peers(graph: str = "FB15k-237") -> dict[str, Any]:
    return ORIGIN | {
        "graph": graph,
        "d_e": 200,
        "d_r": 200,
        "ours": side(40, 9000, 700),
        "plain": side(300, 900, 900),
        "pykeen": {"version": "1.11.1", **side(2200, 180, 3700)},
        "ratios": {
            "plain": {"step_128": 7.5, "ranking": 10.0, "memory": 1.3},
            "pykeen": {"step_128": 55.0, "ranking": 50.0, "memory": 5.3},
        },
    }


def engine(graph: str = "FB15k-237") -> dict[str, Any]:
    ours = side(40, 9000, 700) | {"step_512_gflops": 130}
    for key, ms in (("step_512", 105), ("softmax_step_512", 125), ("bfloat16_step_512", 60)):
        ours |= {f"{key}_ms": ms, f"{key}_epoch_seconds": 0.3 * ms}
    shares = {"ranking": 0.41, "step_128": 0.39, "step_512": 0.64, "softmax_step_512": 0.53}
    shares["bfloat16_step_512"] = 1.12  # a limit in float32 can be passed
    return peers(graph) | {
        "ours": ours,
        "ratios": {"step_128": 7.5, "ranking": 10.0, "memory": 1.3},
        "share_of_limit": shares,
        "best_share_of_limit": {key: share - 0.01 for key, share in shares.items()},
    }


def growth() -> dict[str, Any]:
    base = {"n_e": 10_000, "n_r": 100, "d_e": 100, "triples": 200_000}
    cost = {"n_e": 1.0, "n_r": 0.1, "d_e": 1.2, "triples": 0.0}
    points = {
        factor: [
            base
            | {factor: base[factor] * 2**i}
            | {"step_ms": 40.0 * 2 ** (cost[factor] * i), "epoch_seconds": 30.0}
            | {"queries_per_second": 2e4 / 2 ** (cost[factor] * i), "peak_memory_mb": 400.0 + i}
            for i in range(4)
        ]
        for factor in base
    }
    return ORIGIN | {"base": base, "d_r": 100, "batch_size": 512, "points": points}


def curve(dataset: str = "FB15k-237", side: str = "plain") -> dict[str, Any]:
    journal = [
        {
            "epoch": epoch,
            "seconds": 320.0 * epoch,
            "training_seconds": 300.0 * epoch,
            "valid_mrr": 0.02 * epoch,
        }
        for epoch in (1, 2, 3)
    ]
    return ORIGIN | {"dataset": dataset, "side": side, "journal": journal}


def serve() -> dict[str, Any]:
    alone = {"requests_per_second": 1234.5, "p50_ms": 40.0, "p90_ms": 60.0, "p99_ms": 95.5}
    alone |= {"refused": 0, "errors": 0}
    beside = alone | {"requests_per_second": 876.5, "p99_ms": 150.2, "discoveries": 12}
    about = {"graph": "FB15k-237", "n_e": 14541, "n_r": 237, "connections": 64, "seconds": 30}
    sides = {"predict": alone, "predict_beside_discover": beside}
    return ORIGIN | about | sides | {"peak_memory_mb": 600.0}


def kill() -> dict[str, Any]:
    return ORIGIN | {"kills": 100, "acknowledged": 2345, "lost": 0}


def everything() -> dict[str, dict[str, Any]]:
    """Return all results by the names of their files."""
    return {
        "curve-fb15k-237-plain": curve(),
        "curve-fb15k-237-ours": curve(side="ours"),
        "curve-fb15k-237-bfloat16": curve(side="bfloat16"),
        "curve-wn18rr-plain": curve("WN18RR"),
        "curve-wn18rr-ours": curve("WN18RR", "ours"),
        "curve-wn18rr-bfloat16": curve("WN18RR", "bfloat16"),
        "engine-fb15k-237": engine(),
        "engine-wn18rr": engine("WN18RR"),
        "growth": growth(),
        "kill": kill(),
        "peers-fb15k-237": peers(),
        "peers-wn18rr": peers("WN18RR"),
        "serve": serve(),
    }
