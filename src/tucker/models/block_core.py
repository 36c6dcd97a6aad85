"""A core of equal blocks on its diagonal, given one below the other: all of them at once.

As a tensor it is (d_e, d_r / blocks, d_e / blocks); one block is a core without zeros.
"""

from __future__ import annotations

import torch
from torch import Tensor


def times_relations(core: Tensor, w_r: Tensor, blocks: int) -> Tensor:
    """Return W ×₂ w_r: its blocks one below the other, (groups, d_e, d_e / blocks)."""
    # One product a slice of the core: with few groups one flat product takes twice as long.
    parts = w_r.reshape(len(w_r), blocks, 1, -1).movedim(0, 2)  # (blocks, 1, groups, ...)
    parts = parts.expand(-1, len(core) // blocks, -1, -1).flatten(0, 1)
    return torch.bmm(parts, core).transpose(0, 1)


def times_ends(core: Tensor, e_s: Tensor, e_o: Tensor, blocks: int) -> Tensor:
    """Return W ×₁ e_s ×₃ e_o, (facts, d_r)."""
    W = _apart(core, blocks)
    s, o = (x.reshape(len(x), blocks, -1).transpose(0, 1) for x in (e_s, e_o))
    slices = torch.bmm(s, W.flatten(2)).view(*s.shape[:2], *W.shape[2:])  # (blocks, facts, ...)
    return (slices * o.unsqueeze(2)).sum(3).transpose(0, 1).flatten(1)


def weighted_cubes(
    core: Tensor, e_s: Tensor, w_r: Tensor, e_o: Tensor, blocks: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return Σ |x|³ of each row, a coordinate counted with the core's weights that meet it.

    φ is a sum of products W_ijk e_i w_j e_k: a CP model, each of whose factors takes |W_ijk|^⅓.
    """
    W = _apart(core, blocks).abs()
    weights = W.sum((2, 3)), W.sum((1, 3)), W.sum((1, 2))
    pairs = zip((e_s, w_r, e_o), weights, strict=True)
    of_s, of_r, of_o = (x.abs().pow(3) @ weight.flatten() for x, weight in pairs)
    return of_s, of_r, of_o


def _apart(core: Tensor, blocks: int) -> Tensor:
    """Return the blocks, (blocks, d_e / blocks, d_r / blocks, d_e / blocks)."""
    return core.view(blocks, -1, *core.shape[1:])
