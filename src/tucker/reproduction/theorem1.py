"""The paper's Theorem 1 made concrete: exact models of a graph, and those that cannot be exact."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.graph import Graph, load_graph
from tucker.models import MODELS, Model, exact_complex, exact_simple, exact_tucker
from tucker.reproduction.study import Sheet, Study, kept

_ENTITIES = 60  # the busiest of the bundled graph
_D_E, _STEPS, _SEEDS = 8, 400, 2


def theorem1(results: Path, *, train: bool = False) -> Study:
    """Return what was constructed and what was fitted; `train` does it if nothing is kept."""
    record = kept(results / "theorem1.json", _made, train=train)
    graph = record["graph"]
    exact = [
        [one["model"], one["bound"], *(f"{one[key]:,}" for key in _COUNTS)]
        for one in record["exact"]
    ]
    fitted = [
        [one["pattern"], one["model"], one["criterion"], f"{one['least']:g}", one["says"]]
        for one in record["fitted"]
    ]
    size = f"{graph['entities']} entities, {graph['relations']} relations, {graph['facts']:,} facts"
    sheets = [
        Sheet(
            f"Theorem 1: models constructed for {graph['name']} ({size})",
            ["model", "bound", "d_e", "d_r", "parameters", "cells checked", "wrong"],
            exact,
        ),
        Sheet(
            "Patterns that contradict a model, fitted",
            ["pattern", "model", "measured", "least of all seeds", ""],
            fitted,
        ),
    ]
    notes = [
        "Every cell of the tensor is scored: facts must be above zero, all else below it.",
        "Kazemi and Poole prove contradictions of TransE and STransE for facts at distance zero "
        "and all else farther away. With a threshold on the distance, as probabilities have one, "
        "facts need not be at zero, and some of the patterns are none any more: the table has "
        "one of them measured both ways.",
    ]
    return Study("theorem1", record, sheets, notes)


_COUNTS = ("d_e", "d_r", "parameters", "checked", "wrong")


def _made() -> dict[str, Any]:
    graph = load_graph("world")
    facts, n_e, n_r = _busiest(graph, _ENTITIES)
    about = {"name": "the busiest of world", "entities": n_e, "relations": n_r, "facts": len(facts)}
    return {
        "graph": about,
        "exact": [_checked(*one, facts, n_e, n_r) for one in _CONSTRUCTED],
        "fitted": _fitted(),
    }


def _busiest(graph: Graph, count: int) -> tuple[Tensor, int, int]:
    """Return the facts among the entities that occur most, with ids of their own."""
    known = graph.known
    often = np.bincount(np.concatenate([known[:, 0], known[:, 2]]), minlength=graph.n_e)
    chosen = np.sort(np.argsort(-often, kind="stable")[:count])
    inside = known[np.isin(known[:, 0], chosen) & np.isin(known[:, 2], chosen)]
    s, o = (np.searchsorted(chosen, inside[:, side]) for side in (0, 2))
    relations, r = np.unique(inside[:, 1], return_inverse=True)
    return torch.from_numpy(np.stack([s, r, o], axis=1)), len(chosen), len(relations)


_CONSTRUCTED: tuple[tuple[str, str, Callable[[Tensor, int, int], Model]], ...] = (
    ("TuckER", "d_e = n_e, d_r = n_r", exact_tucker),
    ("ComplEx", "d_e = n_e n_r, complex", exact_complex),
    ("SimplE", "d_e = min(n_e n_r, γ + 1)", exact_simple),
)


@torch.no_grad()
def _checked(
    name: str,
    bound: str,
    construct: Callable[[Tensor, int, int], Model],
    facts: Tensor,
    n_e: int,
    n_r: int,
) -> dict[str, Any]:
    start = time.perf_counter()
    model = construct(facts, n_e, n_r)
    s, r = (
        x.flatten() for x in torch.meshgrid(torch.arange(n_e), torch.arange(n_r), indexing="ij")
    )
    true = torch.zeros(n_e, n_r, n_e, dtype=torch.bool)
    true[facts[:, 0], facts[:, 1], facts[:, 2]] = True
    scores = model.score_objects(s, r).view(n_e, n_r, n_e)
    halves = 1 if name == "TuckER" else 2
    return {
        "model": name,
        "bound": bound,
        "d_e": model.E.shape[1] // halves,
        "d_r": model.R.shape[1] // halves,
        "parameters": model.count_parameters(),
        "checked": true.numel(),
        "wrong": int(((scores > 0) != true).sum()),
        "seconds": round(time.perf_counter() - start, 2),
    }


Pattern = tuple[str, Sequence[tuple[int, int]], Sequence[tuple[int, int]]]
ASYMMETRIC: Pattern = ("asymmetric: (a, b), not (b, a)", [(0, 1)], [(1, 0)])
MUTUAL: Pattern = ("symmetric, not reflexive: (a, b), (b, a), not (a, a), (b, b)",
                   [(0, 1), (1, 0)], [(0, 0), (1, 1)])  # fmt: skip
SHARED: Pattern = ("shared objects: (a, c), (a, d), (b, c), not (b, d)",
                   [(0, 2), (0, 3), (1, 2)], [(1, 3)])  # fmt: skip
_SEPARATED = (
    (ASYMMETRIC, "distmult", "φ(a, r, b) = φ(b, r, a) always"),
    (ASYMMETRIC, "tucker", ""),
    (MUTUAL, "transe", "‖w_r‖ is at most the mean of the two facts' distances"),
    (MUTUAL, "ftranse", "2 e_aᵀe_b is at most ‖e_a‖² + ‖e_b‖²"),
    (MUTUAL, "tucker", ""),
    (SHARED, "transe", "with a threshold it can be told apart"),
    (SHARED, "stranse", "with a threshold it can be told apart"),
)
_EXACT = (
    (SHARED, "transe", "three distances of zero make the fourth zero: 1 at best"),
    (SHARED, "stranse", "three distances of zero make the fourth zero: 1 at best"),
)


def _fitted() -> list[dict[str, Any]]:
    separated = [
        {
            "pattern": pattern[0],
            "model": MODELS[name].__name__,
            "criterion": "wrong cells",
            "least": min(wrong_cells(name, pattern, seed) for seed in range(_SEEDS)),
            "says": says,
        }
        for pattern, name, says in _SEPARATED
    ]
    exact = [
        {
            "pattern": pattern[0],
            "model": MODELS[name].__name__,
            "criterion": "distances of facts and lack of it elsewhere",
            "least": round(min(exactness(name, pattern, seed) for seed in range(_SEEDS)), 4),
            "says": says,
        }
        for pattern, name, says in _EXACT
    ]
    return separated + exact


def wrong_cells(name: str, pattern: Pattern, seed: int) -> int:
    """Fit a model and a threshold to a pattern, and count the cells on the wrong side of the best.

    A cell counts as wrong where a fact does not score above every cell that is none.
    """
    model, scores, facts = _prepared(name, pattern, seed)
    threshold = torch.zeros((), requires_grad=True)
    _minimise(
        [*model.parameters(), threshold],
        lambda: F.softplus(torch.where(facts, threshold - scores(), scores() - threshold)).sum(),
    )
    found = scores().detach()
    order = torch.unique(found)
    cuts = torch.cat([order - 1e-4, order + 1e-4])  # of which one is at least as good as any other
    return min(int(((found > cut) != facts).sum()) for cut in cuts)


def exactness(name: str, pattern: Pattern, seed: int) -> float:
    """Fit a distance: facts to zero, all else to one or more; return what is missing in sum."""
    model, scores, facts = _prepared(name, pattern, seed)
    gamma = float(model.gamma)  # type: ignore[arg-type]

    def missing() -> Tensor:
        distance = gamma - scores()
        return torch.where(facts, distance, (1 - distance).clamp(min=0)).sum()

    _minimise(list(model.parameters()), missing)
    return float(missing().detach())


def _prepared(name: str, pattern: Pattern, seed: int) -> tuple[Model, Callable[[], Tensor], Tensor]:
    """Return a new model, what scores the cells of a pattern, and which of them are facts."""
    torch.manual_seed(seed)
    _, yes, no = pattern
    plain = {"batch_norm": False} if name in ("tucker", "distmult") else {}
    sizes = {"d_e": _D_E, **({"d_r": 4, **_NO_DROPOUT} if name == "tucker" else {})}
    model = MODELS[name](n_e=4, n_r=1, **sizes, **plain)
    s, o = torch.tensor([*yes, *no]).T
    r = torch.zeros_like(s)
    return model, lambda: model.score(s, r, o), torch.arange(len(s)) < len(yes)


_NO_DROPOUT = {"dropout_subject": 0.0, "dropout_relation": 0.0, "dropout_query": 0.0}


def _minimise(weights: list[Tensor], loss: Callable[[], Tensor]) -> None:
    with torch.random.fork_rng(devices=[]):
        optimiser = torch.optim.Adam([{"params": weights}], lr=0.05)
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.001, _STEPS)
        for _ in range(_STEPS):
            optimiser.zero_grad()
            total = loss()
            total.backward()  # type: ignore[no-untyped-call]
            for weight in weights:  # entity rows have sparse gradients
                if weight.grad is not None and weight.grad.is_sparse:
                    weight.grad = weight.grad.to_dense()
            optimiser.step()
            schedule.step()
