"""The forms that `--json` promises, key by key."""

from __future__ import annotations

from typing import Any

METRICS = {
    "queries": int,
    "mrr": float,
    "hits_at_1": float,
    "hits_at_3": float,
    "hits_at_10": float,
    "mean_rank": float,
    "amri": float,
}
REPORT = {
    "run": str,
    "epochs": int,
    "best_epoch": int,
    "seconds": float,
    "pairs_per_second": float,
    "peak_memory_mb": float,
    "valid": dict,
}
PREDICTION = {
    "subject": str,
    "relation": str,
    "object": str,
    "score": float,
    "probability": float,
    "rank": int,
}


def check(found: dict[str, Any], shape: dict[str, type]) -> None:
    """Compare keys and types, exactly."""
    assert {key: type(value) for key, value in found.items()} == shape


def check_metrics(found: dict[str, Any]) -> None:
    check(found, METRICS)
    assert 0 <= found["hits_at_1"] <= found["hits_at_3"] <= found["hits_at_10"] <= 1
    assert found["hits_at_1"] <= found["mrr"] <= 1
    assert found["mean_rank"] >= 1
    assert -1 <= found["amri"] <= 1


def check_evaluation(found: dict[str, Any], *, by: set[str] | None = None) -> None:
    shape = {"split": str, "ties": str, "triples": int, **METRICS, "seen_only": dict}
    check(found, shape | ({"by": dict} if by else {}))
    check_metrics({key: found[key] for key in METRICS})
    check(found["seen_only"], {"triples": int, **METRICS})
    assert found["queries"] == 2 * found["triples"]
    if by:
        assert set(found["by"]) == by
        for part in found["by"].values():
            check_metrics(part)
        assert sum(part["queries"] for part in found["by"].values()) == found["queries"]


def check_report(found: dict[str, Any], *, test: bool) -> None:
    check(found, REPORT | ({"test": dict} if test else {}))
    check_evaluation(found["valid"])
    if test:
        check_evaluation(found["test"])


def check_prediction(found: dict[str, Any], *, labelled: set[str] = frozenset()) -> None:
    check(found, PREDICTION | ({"labels": dict} if labelled else {}))
    assert set(found.get("labels", {})) == labelled
    assert 0 <= found["probability"] <= 1
    assert found["rank"] >= 1
