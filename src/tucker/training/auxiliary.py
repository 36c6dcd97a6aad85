"""What a step minimises besides its loss: a penalty, and the prediction of relations."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional as F

from tucker.errors import SettingsError
from tucker.models import Model, Relations, Trilinear
from tucker.training.batches import Batch
from tucker.training.facts import Facts
from tucker.training.regularisers import REGULARISERS
from tucker.training.settings import TrainingSettings


def relation_prediction(facts: Facts) -> Tensor:
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
        if settings.ensemble and (settings.regulariser == "ivr" or settings.relation_weight):
            raise SettingsError(
                "ivr and relation prediction look at all blocks of a model at once: leave out them "
                "or training.ensemble"
            )
        return cls(model, settings)

    def __call__(self, batch: Batch, relations: Relations, done: float) -> Tensor:
        """Return the weighted sum of both over some facts of a batch, `done` of all epochs done."""
        settings = self._settings
        facts = Facts.some_of(self._model, batch, relations, settings.helper_facts)
        total = facts.e_s.new_zeros(())
        if settings.regulariser != "none":
            weight = settings.regulariser_weight * (1 - done) ** settings.regulariser_fall
            total = total + weight * REGULARISERS[settings.regulariser](facts)
        if settings.relation_weight:
            total = total + settings.relation_weight * relation_prediction(facts)
        return total
