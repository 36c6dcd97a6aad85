"""Fitting a model: relation-grouped batches, losses over all entities, the loop, checkpoints."""

from tucker.training.rules import RulesSettings, learn_rules
from tucker.training.settings import TrainingSettings
from tucker.training.trainer import Entry, Progress, Trainer, Training

__all__ = [
    "Entry",
    "Progress",
    "RulesSettings",
    "Trainer",
    "Training",
    "TrainingSettings",
    "learn_rules",
]
