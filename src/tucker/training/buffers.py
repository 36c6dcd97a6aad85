"""What makes steps of training fast: memory kept between them, and no denormal numbers.

Fresh large tensors cost a page fault every 4 KiB.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of malloc.h


def keep_freed_memory() -> None:
    """Let this process use freed memory again instead of handing it back to the system.

    The gradients of a step are as large as those of the last one. Without glibc nothing happens.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt:
        mallopt(_M_TRIM_THRESHOLD, 2**31 - 1)
        mallopt(_M_MMAP_THRESHOLD, 32 << 20)


@contextmanager
def denormals_flushed() -> Iterator[None]:
    """Take denormal numbers for zero: weights that a penalty shrinks end there, and are slow."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


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
