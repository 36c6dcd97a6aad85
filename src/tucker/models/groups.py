"""Rows of a batch gathered by relation, so that a relation's matrix is formed once a group."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Groups:
    """Which rows share a relation: each group has one relation and at most `size` rows."""

    relation: Tensor  # (groups,) the relation of each group
    of_row: Tensor  # (rows,) the group of each row
    slot: Tensor  # (rows,) the place of each row in the (groups, size) grid, row by row
    size: int

    @classmethod
    def of(cls, r: Tensor, size: int) -> Groups:
        """Gather rows by their relation, whatever order they come in."""
        relation, order = torch.sort(r, stable=True)
        places = torch.arange(len(r), device=r.device)
        first = torch.ones_like(relation, dtype=torch.bool)
        first[1:] = relation[1:] != relation[:-1]
        start = torch.cummax(torch.where(first, places, 0), 0).values  # where its relation begins
        within = (places - start) % size
        group = torch.cumsum(within == 0, 0) - 1
        widest = int(within.max()) + 1 if len(r) else 1  # short groups need no full-size grid
        of_row, slot = torch.empty_like(r), torch.empty_like(r)
        of_row[order] = group
        slot[order] = group * widest + within
        return cls(relation[within == 0], of_row, slot, widest)

    def __len__(self) -> int:
        return len(self.relation)

    def transform(self, x: Tensor, W_r: Tensor) -> Tensor:
        """Multiply each row by its group's square matrix: (rows, a), (groups, a, a) -> (rows, a).

        Of a block-diagonal matrix only the blocks are given, (groups, a, b), one below the other.
        """
        grid, blocks = self._in_blocks(x, W_r)
        return self._in_rows(grid @ blocks)

    def transform_back(self, x: Tensor, W_r: Tensor) -> Tensor:
        """Multiply each row by its group's matrix transposed, as (W_r xᵀ)ᵀ.

        In the form x W_rᵀ the gradient by W_r would come transposed: slow to add to that of
        `transform`, where both have the same matrices.
        """
        grid, blocks = self._in_blocks(x, W_r)
        return self._in_rows((blocks @ grid.mT).mT)

    def _in_blocks(self, x: Tensor, W_r: Tensor) -> tuple[Tensor, Tensor]:
        """Return rows, (groups, blocks, size, b), and the blocks that these meet, (…, b, b)."""
        groups, a, b = W_r.shape
        grid = x.new_zeros(groups * self.size, a).index_copy(0, self.slot, x)
        grid = grid.view(groups, self.size, a // b, b).transpose(1, 2)
        return grid, W_r.reshape(groups, a // b, b, b)

    def _in_rows(self, product: Tensor) -> Tensor:
        """Return a product row by row, (groups, blocks, size, b) -> (rows, a)."""
        return product.transpose(1, 2).reshape(len(self) * self.size, -1)[self.slot]
