"""Known facts with their embeddings: what penalties and auxiliary losses look at."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from tucker.models import Groups, Relations, Trilinear
from tucker.training.batches import Batch

_GROUP_SIZE = 64  # as many facts as 16 pairs have, of at most 4 answers each: fast/wn18rr


@dataclass(frozen=True, eq=False)
class FactSample:
    """Known facts and their embeddings under a model: what a penalty sees of a batch."""

    model: Trilinear
    r: Tensor  # (facts,)
    e_s: Tensor  # (facts, d_e)
    w_r: Tensor  # (groups, d_r): facts of one group share a row
    operators: Tensor  # (groups, ...) what these do to a subject
    e_o: Tensor  # (facts, d_e)
    groups: Groups

    @classmethod
    def some_of(
        cls, model: Trilinear, batch: Batch, relations: Relations, count: int
    ) -> FactSample:
        """Draw at most so many facts of a batch, whose relations are made ready already."""
        drawn = torch.randperm(len(batch.targets.objects))[:count]
        rows, o = batch.targets.rows[drawn], batch.targets.objects[drawn]
        groups = Groups.of(relations.groups.of_row[rows], _GROUP_SIZE)
        w_r, operators = relations.w_r, relations.operators
        batch_group = groups.relation  # that each group of facts is of
        e_s, e_o = (F.embedding(ids, model.E, sparse=True) for ids in (batch.s[rows], o))
        # Where pairs have few answers, every group is drawn from and none is cut: nothing to copy.
        if not torch.equal(batch_group, torch.arange(len(w_r), device=batch_group.device)):
            w_r, operators = w_r[batch_group], operators[batch_group]
        return cls(model, batch.r[rows], e_s, w_r, operators, e_o, groups)
