"""Fitting a model: settings, batches that share relations, losses over all entities, the loop.

A trainer knows facts as ids, and is handed a way to validate by `tucker.pipeline`: it knows neither
names nor the evaluation. What fits a reasoner stands in `reasoning`.
"""

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
