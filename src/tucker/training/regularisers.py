"""Penalties on the embeddings and partial products of the facts in a batch, a mean over them."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor
from torch.nn import functional as F

from tucker.errors import SettingsError
from tucker.models import Model, Relations, Trilinear
from tucker.training.batches import Batch
from tucker.training.fact_sample import FactSample
from tucker.training.settings import TrainingSettings


def f2(facts: FactSample) -> Tensor:
    """‖e_s‖² + ‖w_r‖² + ‖e_o‖²: the squared Frobenius norm, weighted by how often a row occurs.

    Trouillon, Welbl, Riedel, Gaussier and Bouchard, "Complex Embeddings for Simple Link
    Prediction", ICML 2016.
    """
    return _a_fact(facts, _square(facts.e_s), _square(facts.w_r), _square(facts.e_o))


def n3(facts: FactSample) -> Tensor:
    """‖e_s‖₃³ + ‖w_r‖₃³ + ‖e_o‖₃³: the nuclear 3-norm, TuckER's weighted by its core.

    Lacroix, Usunier and Obozinski, "Canonical Tensor Decomposition for Knowledge Base Completion",
    ICML 2018.
    """
    return _a_fact(facts, *facts.model.cubes(facts.e_s, facts.w_r, facts.e_o))


def dura(facts: FactSample) -> Tensor:
    """‖W ×₁ e_s ×₂ w_r‖² + ‖e_o‖² + ‖W ×₂ w_r ×₃ e_o‖² + ‖e_s‖²: both ways of reading a fact.

    Zhang, Cai and Wang, "Duality-Induced Regularizer for Tensor Factorization Based Knowledge Graph
    Completion", NeurIPS 2020.
    """
    model, operators, groups = facts.model, facts.operators, facts.groups
    from_subject = _square(model.without_object(facts.e_s, operators, groups))
    from_object = _square(model.without_subject(operators, facts.e_o, groups))
    return (from_subject + _square(facts.e_o) + from_object + _square(facts.e_s)).mean()


REGULARISERS: dict[str, Callable[[FactSample], Tensor]] = {"f2": f2, "n3": n3, "dura": dura}


def _a_fact(facts: FactSample, of_s: Tensor, of_r: Tensor, of_o: Tensor) -> Tensor:
    """Return the mean over facts of three numbers, the second given once a group."""
    return (of_s + of_r[facts.groups.of_row] + of_o).mean()


def _square(x: Tensor) -> Tensor:
    return x.square().flatten(1).sum(1)


def relation_prediction(facts: FactSample) -> Tensor:
    """Cross entropy of the relation, given the subject and the object of a fact.

    Chen, Minervini, Riedel and Stenetorp, "Relation Prediction as an Auxiliary Training Objective
    for Improving Multi-Relational Graph Representations", AKBC 2021.
    """
    query = facts.model.without_relation(facts.e_s, facts.e_o)
    return F.cross_entropy(query @ facts.model.R.T, facts.r)


class Auxiliary:
    """The penalty and the auxiliary loss that the settings ask for."""

    def __init__(self, model: Trilinear, settings: TrainingSettings) -> None:
        self._model = model
        self._settings = settings

    @classmethod
    def asked_for(cls, model: Model, settings: TrainingSettings) -> Auxiliary | None:
        """Return it, if any is asked for; refuse a model that cannot carry it."""
        if settings.regulariser == "none" and not settings.relation_weight:
            return None
        if not isinstance(model, Trilinear):
            raise SettingsError(
                f"{type(model).__name__} is not linear in its embeddings: leave out "
                "training.regulariser and training.relation_weight"
            )
        if settings.ensemble and settings.relation_weight:
            raise SettingsError(
                "training.relation_weight needs the whole model, training.ensemble fits its parts: "
                "leave out one of them"
            )
        return cls(model, settings)

    def __call__(self, batch: Batch, relations: Relations, done: float) -> Tensor:
        """Return the weighted sum of both over some facts of a batch, `done` of all epochs done."""
        settings = self._settings
        facts = FactSample.some_of(self._model, batch, relations, settings.helper_facts)
        total = facts.e_s.new_zeros(())
        if settings.regulariser != "none":
            weight = settings.regulariser_weight * (1 - done) ** settings.regulariser_fall
            total = total + weight * REGULARISERS[settings.regulariser](facts)
        if settings.relation_weight:
            total = total + settings.relation_weight * relation_prediction(facts)
        return total
