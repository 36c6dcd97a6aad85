"""Memory kept between steps: fresh large tensors cost a page fault every 4 KiB."""

from __future__ import annotations

import math

import torch
from torch import Tensor


class Buffers:
    """Named scratch tensors that grow when they must and are otherwise used again."""

    def __init__(self) -> None:
        self._kept: dict[str, Tensor] = {}

    def take(self, name: str, *shape: int, like: Tensor) -> Tensor:
        """Return an uninitialised tensor of this shape; the last one of this name is given up."""
        size = math.prod(shape)
        kept = self._kept.get(name)
        if kept is None or len(kept) < size or kept.dtype != like.dtype:
            kept = torch.empty(size, dtype=like.dtype, device=like.device)
            self._kept[name] = kept
        return kept[:size].view(shape)
