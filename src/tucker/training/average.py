"""A running mean of the weights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from tucker.models import Model

_EVERY = 8  # steps between two updates: a pass over all weights is not free


class Average:
    """The exponential mean of a model's weights over its steps, which ranks better than the last.

    Polyak and Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992. In its first
    steps the mean forgets faster, so that the first weights do not linger.
    """

    def __init__(self, model: Model, decay: float) -> None:
        self._model = model
        self._decay = decay
        self.steps = 0
        self.weights = {name: value.clone() for name, value in model.state_dict().items()}

    def update(self) -> None:
        """Take the weights after a step into the mean; as a rule several steps at once."""
        self.steps += 1
        if self.steps < _EVERY or self.steps % _EVERY == 0:
            self._take(1 if self.steps < _EVERY else _EVERY)

    @torch.no_grad()
    def _take(self, steps: int) -> None:
        decay = min(self._decay, self.steps / (self.steps + 10)) ** steps
        for name, value in self._model.state_dict().items():
            mean = self.weights[name]
            if mean.is_floating_point():
                mean.lerp_(value, 1 - decay)
            else:
                mean.copy_(value)  # the batch normalisations' count of batches

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Put the mean in the place of the weights for a while."""
        last: dict[str, Tensor] = {n: v.clone() for n, v in self._model.state_dict().items()}
        self._model.load_state_dict(self.weights)
        try:
            yield
        finally:
            self._model.load_state_dict(last)
