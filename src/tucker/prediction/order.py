"""The best first: an order that rounding does not decide.

The same question has the same answers whether it is asked alone or among others, on one thread or
on many. Its scores may still differ in their last digits, so numbers that lie so close together
count as equal, and what comes next decides.
"""

from __future__ import annotations

import torch
from torch import Tensor

_CLOSE = 1e-5  # of a number's size: less is rounding
_BESIDE = 8  # columns looked at besides the best: there are seldom more that are as good


def best_first(*keys: Tensor) -> Tensor:
    """Return the order of some items, (n,): by the first key, the greatest first, then the next.

    Items that are equal in all keys stay in the order that they are in.
    """
    order = torch.arange(len(keys[0]))
    for key in reversed(keys):
        level = torch.empty(len(key), dtype=torch.long)
        values, places = torch.sort(key, descending=True)
        level[places] = _levels(values)
        order = order[torch.sort(level[order], stable=True).indices]
    return order


def best_of_rows(values: Tensor, k: int) -> Tensor:
    """Return the columns of the k greatest values of each row, (rows, k): of equal ones the first.

    A row may end with columns whose value is −inf.
    """
    n = values.shape[1]
    k = min(k, n)
    found, columns = torch.topk(values, min(k + _BESIDE, n), dim=1)
    last = found[:, k - 1 : k]
    least = torch.where(last.isinf(), last, last - _closeness(last))
    if (found[:, -1:] >= least).any():  # more may be as good as the last one
        most = int((values >= least).sum(1).max())
        found, columns = torch.topk(values, most, dim=1)
    ranks = _levels(found) * n + columns
    return columns.gather(1, torch.argsort(ranks, dim=1)[:, :k])


def _levels(values: Tensor) -> Tensor:
    """Return which level each value is on, 0 for the greatest, for values that fall along rows."""
    gaps = values[..., :-1] - values[..., 1:] > _closeness(values[..., 1:])
    first = torch.zeros_like(values[..., :1], dtype=torch.long)
    return torch.cat([first, torch.cumsum(gaps, -1)], dim=-1)


def _closeness(values: Tensor) -> Tensor:
    return _CLOSE * values.abs().nan_to_num(posinf=0.0)
