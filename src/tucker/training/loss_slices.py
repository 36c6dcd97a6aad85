"""A slice of entities, with all that belongs to it in a loss.

Slices are made ready by one thread: those that then work them through (`workers.py`) wait for each
other whenever they touch Python, so the less of it there is between two products the better.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from tucker.workers import cut

_SLICE_LOGITS = 1 << 18  # of a thread at a time: 1 MiB, which stay in the cache


@dataclass(frozen=True, eq=False)
class Labels:
    """What is subtracted from the gradient by the logits, at the answers of each query."""

    rows: Tensor  # (answers,) the query of each answer
    objects: Tensor  # (answers,) the entity that answers it
    values: Tensor  # (answers,)

    def of_rows(self, some: slice) -> Labels:
        """Return those of some queries, which are then counted from the first of these."""
        here = (self.rows >= some.start) & (self.rows < some.stop)
        return Labels(self.rows[here] - some.start, self.objects[here], self.values[here])

    def none(self) -> Labels:
        """Return none of them."""
        return Labels(self.rows[:0], self.objects[:0], self.values[:0])


@dataclass(frozen=True, eq=False)
class EntitySlice:
    """Some entities: their parts of what has a row for each of them, and their answers."""

    E: Tensor  # (slice, d_e)
    gradient: Tensor  # (slice, d_e) by E, to be written
    places: Tensor  # (answers,) of each among the slice's logits, row by row
    labels: Tensor  # (answers,)

    def take_labels_from(self, z: Tensor) -> None:
        """Subtract the labels at the places of the answers, in (slice, queries)."""
        z.view(-1).index_add_(0, self.places, self.labels, alpha=-1)


def in_slices(E: Tensor, grad_E: Tensor, queries: int, labels: Labels) -> list[EntitySlice]:
    """Cut the entities into slices whose logits are few enough."""
    slices = cut(len(E), _SLICE_LOGITS // queries)
    starts = torch.tensor([piece.start for piece in slices])
    sizes = [piece.stop - piece.start for piece in slices]
    objects, order = torch.sort(labels.objects)
    slice_of = torch.searchsorted(starts, objects, right=True) - 1
    places = (objects - starts[slice_of]) * queries + labels.rows[order]
    values = labels.values[order].to(E.dtype)
    counts = torch.bincount(slice_of, minlength=len(sizes)).tolist()
    parts = zip(
        *(torch.split_with_sizes(x, sizes) for x in (E, grad_E)),
        *(torch.split_with_sizes(x, counts) for x in (places, values)),
        strict=True,
    )
    return [
        EntitySlice(E=few, gradient=gradient, places=places, labels=labels)
        for few, gradient, places, labels in parts
    ]
