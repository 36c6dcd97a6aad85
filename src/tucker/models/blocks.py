"""Blocks of objects, so that what a query and an object need in between stays bounded."""

from __future__ import annotations

from collections.abc import Iterator

from torch import Tensor

_NUMBERS = 1 << 20  # queries × objects × d at a time: 4 MiB


def blocks(q: Tensor, objects: Tensor) -> Iterator[slice]:
    """Cut the objects, (n, d), into blocks for which a number a query and coordinate fits."""
    size = max(1, _NUMBERS // max(1, q.numel()))
    return (slice(start, start + size) for start in range(0, len(objects), size))
