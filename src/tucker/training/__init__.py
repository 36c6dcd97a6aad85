"""Fitting a model: relation-grouped batches, losses over all entities, the loop, checkpoints."""

from tucker.training.settings import TrainingSettings
from tucker.training.trainer import Progress, Trainer, Training

__all__ = ["Progress", "Trainer", "Training", "TrainingSettings"]
