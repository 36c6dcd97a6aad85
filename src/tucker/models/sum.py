"""Two models side by side, whose scores add up."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn

from tucker.errors import SettingsError
from tucker.models.base import Model
from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear

if TYPE_CHECKING:
    from tucker.models.tucker import TuckER


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
        self.models = nn.ModuleList(map(_without_rows, models))
        self._weights = 1.0, weight
        self.train(first.training)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return both queries side by side, each normalised as its own model says."""
        each = self._each(e_s, w_r)
        return self._joined(model.query(e, model.operators(w), groups) for model, e, w in each)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r of both, side by side."""
        each = self._each(e_s, w_r)
        return self._joined(
            model.without_object(e, model.operators(w), groups) for model, e, w in each
        )

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W ×₂ w_r ×₃ e_o of both, side by side."""
        each = self._each(e_o, w_r)
        return self._joined(
            model.without_subject(model.operators(w), e, groups) for model, e, w in each
        )

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return W ×₁ e_s ×₃ e_o of both, side by side."""
        models, widths = self._models(), self._widths("E")
        each = zip(models, torch.split(e_s, widths, 1), torch.split(e_o, widths, 1), strict=True)
        return self._joined(model.without_relation(s, o) for model, s, o in each)

    def as_tucker(self) -> TuckER:
        """Refuse: one TuckER normalises all of its embeddings or none."""
        raise SettingsError("two models side by side cannot become one TuckER: convert each")

    def _models(self) -> list[Trilinear]:
        return cast("list[Trilinear]", list(self.models))

    def _widths(self, name: str) -> list[int]:
        return [getattr(model, name).shape[1] for model in self._models()]

    def _each(self, e: Tensor, w_r: Tensor) -> Iterator[tuple[Trilinear, Tensor, Tensor]]:
        """Yield each model with its columns of embeddings and of relations."""
        columns = torch.split(e, self._widths("E"), 1), torch.split(w_r, self._widths("R"), 1)
        return zip(self._models(), *columns, strict=True)

    def _joined(self, found: Iterator[Tensor]) -> Tensor:
        """Return what the models gave, each counted with its weight."""
        return torch.cat([weight * x for weight, x in zip(self._weights, found, strict=True)], 1)


def _without_rows(model: Model) -> Model:
    """Copy a model but for E and R, whose rows stand elsewhere: only their widths are left."""
    rows = {id(x): nn.Parameter(x.detach()[:0].clone()) for x in (model.E, model.R)}
    return deepcopy(model, rows)
