"""A run as another model with the same scores."""

from __future__ import annotations

from dataclasses import replace

import torch

from tucker.errors import RunError
from tucker.mixture import RuleMixture
from tucker.models import Model, Trilinear, TuckER
from tucker.runs.run import FinishedRun


def as_tucker(run: FinishedRun) -> FinishedRun:
    """Return a run, in memory, whose model is the TuckER that equals the model of a run."""
    model = run.model.embedding
    name = type(model).__name__
    if isinstance(model, TuckER) or not isinstance(model, Trilinear):
        why = "is one already" if isinstance(model, TuckER) else "is not linear in its embeddings"
        raise RunError(f"{run.path or run.graph.name} cannot become a TuckER: {name} {why}")
    try:
        tucker = model.as_tucker()
    except (RuntimeError, MemoryError) as error:
        d_e = model.E.shape[1]
        message = f"the core of a TuckER equal to {name} with d_e = {d_e} does not fit into memory"
        raise RunError(message) from error
    settings = {
        "name": "tucker",
        "d_e": tucker.core.shape[0],
        "d_r": tucker.core.shape[1],
        "dropout_subject": tucker.dropout_subject.p,
        "dropout_relation": tucker.dropout_relation.p,
        "dropout_query": tucker.dropout_query.p,
        "batch_norm": bool(list(tucker.norm_query.parameters())),
    }
    about = {**(run.config.get("about") or {}), "converted_from": run.config["model"]}
    config = {**run.config, "model": settings, "start": None, "about": about}
    whole: Model = tucker
    if isinstance(run.model, RuleMixture):
        whole = run.model.around(tucker, torch.from_numpy(run.graph.train))
    return replace(run, path=None, config=config, model=whole)


@torch.no_grad()
def largest_difference(one: Model, other: Model, *, triples: int = 10_000, seed: int = 0) -> float:
    """Return how far two models' scores of random triples lie apart at most.

    It is given relative to the mean size of the first one's scores.
    """
    random = torch.Generator().manual_seed(seed)
    s, r, o = (
        torch.randint(count, (triples,), generator=random) for count in (one.n_e, one.n_r, one.n_e)
    )
    scores = one.score(s, r, o)
    apart = (scores - other.score(s, r, o)).abs().max()
    return float(apart / scores.abs().mean()) if apart else 0.0
