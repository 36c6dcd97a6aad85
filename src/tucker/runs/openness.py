"""How often questions have an answer that is still missing, by how many they have already."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tucker.graph import Ids

KINDS = 7  # 0, 1, 2, 3–4, 5–8, 9–16 and more entities that are no candidates
_WEIGHT = 5.0  # questions of the other relations that count beside one's own
_ENOUGH = 20  # questions, none of them open, that say something


@dataclass(frozen=True, eq=False)
class Openness:
    """Counts of the questions that could be asked, and of those that validation answered."""

    asked: Ids  # (2 n_r, KINDS)
    open: Ids  # (2 n_r, KINDS)

    @cached_property
    def _chances(self) -> npt.NDArray[np.float64]:
        """The chance that a question is open: its relation's own counts, eased by the others'."""
        of_all = self.open.sum(0) / np.maximum(self.asked.sum(0), 1)  # (KINDS,)
        return np.asarray((self.open + _WEIGHT * of_all) / (self.asked + _WEIGHT))

    def chance(self, r: int, closed: int) -> float:
        """Return how probable it is that a question with so many answers has a missing one."""
        return float(self._chances[r, kind(closed)])

    def plausibility(self, r: int, closed: int) -> float:
        """Return 1 for a question that may well be asked, and its chance if none such was open.

        A country that has its capital is of a kind that validation never found open.
        """
        place = r, kind(closed)
        known_shut = not self.open[place] and self.asked[place] >= _ENOUGH
        return float(self._chances[place]) if known_shut else 1.0


def kind(closed: int) -> int:
    """Return the kind of a question with so many entities that are no candidates."""
    return int(kinds(np.array([closed]))[0])


def kinds(closed: Ids) -> Ids:
    """Return the kind of each question: one for each doubling."""
    doublings = np.ceil(np.log2(np.maximum(closed, 1))).astype(np.int64) + 1
    return np.where(closed == 0, 0, np.minimum(doublings, KINDS - 1))
