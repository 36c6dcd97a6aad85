"""A set of pairs of numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tucker.graph import Ids

_CELLS_A_PAIR = 32  # a table with more cells for each pair given takes longer than sorting


@dataclass(frozen=True, eq=False)
class Pairs:
    """Distinct pairs (row, column): marked in a table if they are dense, else sorted."""

    width: int
    table: NDArray[np.bool_] | None  # (rows * width,)
    keys: Ids  # row * width + column, ascending, where there is no table

    @classmethod
    def of(cls, keys: Ids, rows: int, width: int) -> Pairs:
        """Gather pairs, each given once or more as row * width + column."""
        cells = rows * width
        if cells <= _CELLS_A_PAIR * len(keys):
            table = np.zeros(cells, dtype=np.bool_)
            table[keys] = True
            return cls(width, table, keys[:0])
        keys = np.sort(keys)
        return cls(width, None, keys[np.diff(keys, prepend=-1) > 0])

    def __len__(self) -> int:
        return len(self.keys) if self.table is None else int(np.count_nonzero(self.table))

    def count(self, rows: Ids, columns: Ids) -> int:
        """Return how many of some pairs are in the set; one with the column -1 is not."""
        keys = (rows * self.width + columns)[columns >= 0]
        if self.table is not None:
            return int(np.count_nonzero(self.table[keys]))
        places = np.searchsorted(self.keys, keys)
        return int(np.count_nonzero(np.append(self.keys, -1)[places] == keys))
