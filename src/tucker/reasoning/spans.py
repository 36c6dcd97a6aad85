"""Runs of different lengths, laid end to end."""

from __future__ import annotations

import torch
from torch import Tensor


def spans(start: Tensor, count: Tensor) -> tuple[Tensor, Tensor]:
    """Return the places start, start + 1 … of each run, count of them: which run, and the place."""
    run = torch.repeat_interleave(torch.arange(len(count)), count)
    return run, torch.arange(len(run)) + (start - count.cumsum(0) + count)[run]
