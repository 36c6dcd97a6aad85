"""Dropout whose masks cost little on a CPU."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

_VALUES = 1 << 16  # a mask's entry is decided by 16 random bits
_WORD = 4  # entries decided by a word of 64 random bits


class Dropout(nn.Module):
    """Zeroes entries with probability p in training and scales the rest by 1 / (1 − p).

    `nn.Dropout` draws a number an entry from one stream, which at (groups, d_e, d_e) takes longer
    than the product that follows. Here four entries share a word of a faster generator, seeded from
    torch's own, so that `torch.manual_seed` still decides everything. p is kept to 2⁻¹⁶.
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Return x with entries dropped, or x itself outside training."""
        if not self.training or self.p == 0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        return x * self._mask(x)

    def _mask(self, x: Tensor) -> Tensor:
        """Draw 0 where an entry is dropped and 1 / (1 − p) elsewhere."""
        random = np.random.Generator(np.random.SFC64(int(torch.randint(2**62, ()))))
        words = random.integers(-(2**63), 2**63 - 1, x.numel() // _WORD + 1, endpoint=True)
        dropped = round(self.p * _VALUES)
        # By NumPy: torch compares and converts such small types two to three times as slowly.
        kept = words.view(np.int16)[: x.numel()] >= dropped - _VALUES // 2  # int16 starts at −2¹⁵
        mask = torch.from_numpy(kept.astype(np.float32)).view(x.shape).to(x.dtype)
        return mask.mul_(_VALUES / (_VALUES - dropped))
