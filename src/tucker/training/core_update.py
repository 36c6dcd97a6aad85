"""The core's gradient and its update by Adam in one sweep, a few slices at a time.

A core of 200 × 200 × 200 has 32 MB, its gradient as many, written once and read once: formed slice
by slice, and used at once, it never leaves the cache.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.adam import Adam, adam

from tucker.models import Model, Relations, TuckER
from tucker.models.core import core_gradient

_NUMBERS = 1 << 20  # of the gradient at a time: 4 MiB


class CoreUpdate:
    """Takes TuckER's core out of the backward pass, and does with it what Adam would do."""

    def __init__(self, model: TuckER, optimiser: Adam) -> None:
        self._model = model
        self._optimiser = optimiser
        self._w_r = self._gradient = torch.empty(0)

    @classmethod
    def of(cls, model: Model, optimiser: Optimizer) -> CoreUpdate | None:
        """Return it where there is such a core, updated by Adam."""
        if isinstance(model, TuckER) and isinstance(optimiser, Adam):
            return cls(model, optimiser)
        return None

    def relations(self, r: Tensor, group_size: int) -> Relations:
        """Return the model's relations of some rows; `step` will know their gradient."""
        core = self._model.core
        core.requires_grad_(False)
        try:
            relations = self._model.relations(r, group_size)
        finally:
            core.requires_grad_(True)
        self._w_r = relations.w_r.detach()
        relations.operators.register_hook(self._keep)  # type: ignore[no-untyped-call]
        return relations

    def _keep(self, gradient: Tensor) -> None:
        self._gradient = gradient

    @torch.no_grad()
    def step(self) -> None:
        """Update the core, after the backward pass."""
        core, state = self._model.core, self._optimiser.state[self._model.core]
        if not state:
            zeros = {name: torch.zeros_like(core) for name in ("exp_avg", "exp_avg_sq")}
            state.update(step=torch.zeros(()), **zeros)
        group = self._optimiser.param_groups[0]
        slices = max(1, _NUMBERS // core[0].numel())
        for first in range(0, len(core), slices):
            block = slice(first, min(first + slices, len(core)))
            adam(
                [core[block]],
                [core_gradient(self._w_r, self._gradient, self._model.blocks, block)],
                [state["exp_avg"][block]],
                [state["exp_avg_sq"][block]],
                [],
                [state["step"].clone()],  # each call counts on
                fused=True,
                amsgrad=False,
                beta1=group["betas"][0],
                beta2=group["betas"][1],
                lr=group["lr"],
                weight_decay=0.0,
                eps=group["eps"],
                maximize=False,
            )
        state["step"] += 1
