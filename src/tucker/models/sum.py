"""Two models side by side, whose scores add up."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import torch
from torch import Tensor, nn

from tucker.errors import SettingsError
from tucker.models.base import Model
from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear


class Sum(Trilinear):
    """φ(s, r, o) = φ₁(s, r, o) + λ φ₂(s, r, o): Tucker again, their cores being blocks of its own.

    Rows of E and R are theirs side by side. It is made of trained models, which are copied, and is
    not trained itself.
    """

    def __init__(self, first: Model, second: Model, *, weight: float = 1.0) -> None:
        models = first, second
        for model in models:
            if not isinstance(model, Trilinear):
                name = type(model).__name__
                raise SettingsError(f"{name} is not linear in its embeddings: nothing adds to it")
        E, R = (torch.cat([getattr(model, name) for model in models], 1) for name in "ER")
        super().__init__(len(E), len(R), E.shape[1], 0.0, 0.0, batch_norm=False)
        self.E, self.R = nn.Parameter(E.detach()), nn.Parameter(R.detach())
        self.parts = nn.ModuleList(map(deepcopy, models))
        self._weights = 1.0, weight
        for part in self._parts():  # no rows of their own: only what these are multiplied with
            part.E = nn.Parameter(part.E.detach()[:0].clone())
            part.R = nn.Parameter(part.R.detach()[:0].clone())
        self.train(first.training)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return both queries side by side, each normalised as its own model says."""
        each = self._each(e_s, w_r)
        return self._joined(part.query(e, part.operators(w), groups) for part, e, w in each)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r of both, side by side."""
        each = self._each(e_s, w_r)
        return self._joined(
            part.without_object(e, part.operators(w), groups) for part, e, w in each
        )

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W ×₂ w_r ×₃ e_o of both, side by side."""
        each = self._each(e_o, w_r)
        return self._joined(
            part.without_subject(part.operators(w), e, groups) for part, e, w in each
        )

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return W ×₁ e_s ×₃ e_o of both, side by side."""
        parts, widths = self._parts(), self._widths("E")
        each = zip(parts, torch.split(e_s, widths, 1), torch.split(e_o, widths, 1), strict=True)
        return self._joined(part.without_relation(s, o) for part, s, o in each)

    def _parts(self) -> list[Trilinear]:
        return [part for part in self.parts if isinstance(part, Trilinear)]

    def _widths(self, name: str) -> list[int]:
        return [getattr(part, name).shape[1] for part in self._parts()]

    def _each(self, e: Tensor, w_r: Tensor) -> Iterator[tuple[Trilinear, Tensor, Tensor]]:
        """Yield each part with its columns of embeddings and of relations."""
        columns = torch.split(e, self._widths("E"), 1), torch.split(w_r, self._widths("R"), 1)
        return zip(self._parts(), *columns, strict=True)

    def _joined(self, found: Iterator[Tensor]) -> Tensor:
        """Return what the parts gave, each counted with its weight."""
        return torch.cat([weight * x for weight, x in zip(self._weights, found, strict=True)], 1)
