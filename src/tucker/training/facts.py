"""Known facts with their embeddings: what penalties and auxiliary losses look at."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.models import Groups, Trilinear
from tucker.training.batches import Batch


@dataclass(frozen=True, eq=False)
class Facts:
    """Known facts and their embeddings under a model: what a penalty sees of a batch."""

    model: Trilinear
    r: Tensor  # (facts,)
    e_s: Tensor  # (facts, d_e)
    w_r: Tensor  # (groups, d_r): facts of one relation share a row
    e_o: Tensor  # (facts, d_e)
    groups: Groups

    @classmethod
    def of(cls, model: Trilinear, s: Tensor, r: Tensor, o: Tensor, group_size: int) -> Facts:
        """Look up the embeddings of some triples."""
        groups = Groups.of(r, group_size)
        e_s, e_o = (F.embedding(ids, model.E, sparse=True) for ids in (s, o))
        return cls(model, r, e_s, F.embedding(groups.relation, model.R), e_o, groups)

    @classmethod
    def some_of(cls, model: Trilinear, batch: Batch, count: int, group_size: int) -> Facts:
        """Draw at most so many facts of a batch.

        They are answers of its first rows: with rows in groups of a relation, few relation matrices
        are formed, and as the groups are shuffled, no relation is favoured.
        """
        targets = batch.targets
        near = int(torch.searchsorted(targets.rows, count))  # rows rise
        drawn = torch.randperm(near)[:count]
        rows = targets.rows[drawn]
        return cls.of(model, batch.s[rows], batch.r[rows], targets.objects[drawn], group_size)
