"""Fitting a model: relation-grouped batches, losses over all entities, the loop, checkpoints."""

from tucker.training.settings import TrainingSettings
from tucker.training.trainer import Entry, Progress, Trainer, Training

__all__ = ["Entry", "Progress", "Trainer", "Training", "TrainingSettings"]
