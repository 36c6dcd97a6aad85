"""The entities that a step scores its queries against, where it is not all of them."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from tucker.training.losses import Targets


class Candidates:
    """Some entities drawn at random, and every answer of the batch: each entity at most once.

    A few more are drawn to make their number one that comes again: PyTorch's products of bfloat16
    keep what they compiled for each size, gigabytes of it if hardly any two steps have the same.
    """

    def __init__(self, n_e: int, drawn: int) -> None:
        self._drawn = drawn
        self._chosen = torch.zeros(n_e, dtype=torch.bool)
        self._place = torch.zeros(n_e, dtype=torch.long)

    def draw(self, targets: Targets) -> tuple[Tensor, Targets]:
        """Return the ids of the candidates, and the targets as places among them."""
        chosen = self._chosen.zero_()
        chosen[targets.objects] = True
        others = (~chosen).nonzero().squeeze(1)
        answers = len(chosen) - len(others)
        more = _rounded(answers + self._drawn) - answers
        chosen[others[torch.randperm(len(others))[:more]]] = True
        ids = chosen.nonzero().squeeze(1)
        self._place[ids] = torch.arange(len(ids))
        return ids, replace(targets, objects=self._place[targets.objects])


def _rounded(count: int) -> int:
    """Round up to one of eight sizes between two powers of two: by an eighth at most."""
    step = 1 << max(0, count.bit_length() - 4)
    return -(-count // step) * step
