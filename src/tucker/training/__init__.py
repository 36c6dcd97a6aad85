"""Fitting a model: relation-grouped batches, losses over all entities, the loop, checkpoints."""

from tucker.training.reasoning.rules import RulesSettings, learn_rules
from tucker.training.settings import TrainingSettings
from tucker.training.trainer import Entry, Trainer, Training

__all__ = [
    "Entry",
    "RulesSettings",
    "Trainer",
    "Training",
    "TrainingSettings",
    "learn_rules",
]
