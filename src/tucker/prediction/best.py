"""The best of many facts, kept while they stream by."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

_FACT = 3  # columns: subject, relation, object


class Best:
    """Keeps the k most probable facts; equally probable ones by evidence, then as they came."""

    def __init__(self, k: int, least: float = 0.0) -> None:
        self.k = k
        self._least = least
        self.facts = torch.empty(0, _FACT, dtype=torch.long)
        self.scores, self.chances, self._evidence = torch.empty(3, 0, dtype=torch.float64)

    @property
    def least(self) -> float:
        """The probability below which a fact need not be offered."""
        return self._least if len(self.facts) < self.k else float(self.chances[-1])

    def offer(self, facts: Tensor, scores: Tensor, chances: Tensor, evidence: Tensor) -> None:
        """Take in facts, (n, 3), that belong to the best so far."""
        good = chances >= self.least
        if int(good.sum()) > self.k:  # most of a first block: sort no more than needed
            least = torch.topk(chances, self.k).values[-1]
            good = chances >= least
        self.facts = torch.cat([self.facts, facts[good]])
        self.scores = torch.cat([self.scores, scores[good].double()])
        self.chances = torch.cat([self.chances, chances[good].double()])
        self._evidence = torch.cat([self._evidence, evidence[good].double()])
        keys = (-self._evidence).numpy(), (-self.chances).numpy()
        order = torch.from_numpy(np.lexsort(keys)[: self.k])
        self.facts, self.scores = self.facts[order], self.scores[order]
        self.chances, self._evidence = self.chances[order], self._evidence[order]
