"""A look inside a linear model: the matrix of a relation, and how asymmetric it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tucker.errors import RunError
from tucker.graph import Graph
from tucker.models import Trilinear
from tucker.runs import FinishedRun


@dataclass(frozen=True)
class RelationShape:
    """What the matrix W_r of a relation looks like, beside what its facts look like.

    The asymmetry of a matrix M is ‖M − Mᵀ‖ / (2 ‖M‖), with Frobenius norms: the share of its
    antisymmetric part, 0 if it is symmetric, 1 if it is antisymmetric, about .71 at random.
    """

    relation: str  # its name
    label: str | None  # its label, if it has one
    facts: int  # known ones
    both_ways: float | None  # share of them whose reverse is known too; None without any
    asymmetry: float  # of W_r
    asymmetry_of_scores: float  # of E W_r Eᵀ, the scores of all pairs of entities
    norm: float  # ‖W_r‖

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker inspect --json` prints."""
        found = asdict(self)
        return found if self.label else {key: found[key] for key in found if key != "label"}


@torch.no_grad()
def relation_matrix(run: FinishedRun, relation: str) -> Tensor:
    """Return W_r = W ×₂ w_r of a relation by its name, (d_e, d_e).

    It is that of the bare formula: batch normalisation, if there is any, comes before and after.
    """
    return _matrix(run, run.graph.relations.id(relation))


@torch.no_grad()
def inspect_relations(
    run: FinishedRun, relations: Iterable[str] | None = None
) -> list[RelationShape]:
    """Measure some relations in the order given, or all of them, the most asymmetric first."""
    model = _linear(run)
    gram = model.E.T @ model.E
    if relations is not None:
        return [_shape(run, run.graph.relations.id(name), gram) for name in relations]
    shapes = [_shape(run, r, gram) for r in range(run.graph.n_r)]
    return sorted(shapes, key=lambda shape: -shape.asymmetry)


def asymmetry(matrix: Tensor, gram: Tensor | None = None) -> float:
    """Return ‖M − Mᵀ‖ / (2 ‖M‖) of a square matrix M, or of E M Eᵀ where EᵀE is given."""
    whole = _square(matrix, gram)
    return (_square(matrix - matrix.T, gram) / whole) ** 0.5 / 2 if whole else 0.0


def _shape(run: FinishedRun, r: int, gram: Tensor) -> RelationShape:
    W_r, relations = _matrix(run, r), run.graph.relations
    facts, both_ways = _both_ways(run.graph, r)
    return RelationShape(
        relation=relations.name(r),
        label=relations.label(r),
        facts=facts,
        both_ways=both_ways,
        asymmetry=asymmetry(W_r),
        asymmetry_of_scores=asymmetry(W_r, gram),
        norm=float(W_r.norm()),
    )


def _linear(run: FinishedRun) -> Trilinear:
    model = run.model.embedding
    if not isinstance(model, Trilinear):
        name = type(model).__name__
        raise RunError(
            f"{name} has no matrix for each relation: it is not linear in its embeddings"
        )
    return model


def _matrix(run: FinishedRun, r: int) -> Tensor:
    model = _linear(run)
    return model.relation_matrix(model.R.detach()[r : r + 1])[0]


def _square(matrix: Tensor, gram: Tensor | None) -> float:
    """Return ‖M‖², or ‖E M Eᵀ‖² = tr(Mᵀ G M G) with G = EᵀE, without the scores themselves."""
    if gram is None:
        return float(matrix.square().sum())
    return max(0.0, float(((gram @ matrix) * (matrix @ gram)).sum()))


def _both_ways(graph: Graph, r: int) -> tuple[int, float | None]:
    """Count a relation's facts, and say which share of them is known in reverse as well."""
    facts = graph.known[graph.known[:, 1] == r]
    forward, backward = (facts[:, i] * graph.n_e + facts[:, 2 - i] for i in (0, 2))
    return len(facts), float(np.isin(forward, backward).mean()) if len(facts) else None
