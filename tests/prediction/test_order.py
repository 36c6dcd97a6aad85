from __future__ import annotations

import pytest
import torch

from tucker.prediction.order import best_first, best_of_rows


def test_a_later_key_decides_among_equals_and_then_the_order_that_they_came_in():
    first = torch.tensor([0.2, 0.5, 0.2, 0.2, 0.9])
    second = torch.tensor([-3.0, -9.0, -1.0, -3.0, -9.0])
    assert best_first(first, second).tolist() == [4, 1, 2, 0, 3]


@pytest.mark.parametrize("size", [1e-6, 1.0, 50.0])
def test_rounding_decides_nothing(size):
    random = torch.Generator().manual_seed(0)
    values = (torch.randint(9, (200,), generator=random).double() + 1) * size
    for draw in range(20):
        random.manual_seed(draw)
        shaken = values * (1 + 1e-6 * torch.randn(200, generator=random).double())
        assert best_first(shaken).tolist() == best_first(values).tolist()
        best = best_of_rows(shaken.float()[None], 30)[0]
        assert best.tolist() == best_first(values)[:30].tolist()


def test_what_differs_by_more_than_rounding_is_told_apart():
    values = torch.tensor([1.0, 1.0001, 0.9999])
    assert best_first(values).tolist() == [1, 0, 2]
    assert best_of_rows(values[None], 3).tolist() == [[1, 0, 2]]


@pytest.mark.parametrize("k", [1, 3, 7, 12, 99])
def test_the_best_of_rows_against_a_sort(k):
    random = torch.Generator().manual_seed(k)
    values = torch.randint(6, (50, 12), generator=random).float()
    values[torch.rand(50, 12, generator=random) < 0.3] = -torch.inf
    wanted = torch.sort(values, dim=1, descending=True, stable=True).indices[:, :k]
    assert best_of_rows(values, k).equal(wanted)


def test_infinities_are_equal_among_themselves():
    values = torch.tensor([-torch.inf, torch.inf, -torch.inf, 0.0, torch.inf])
    assert best_first(values).tolist() == [1, 4, 3, 0, 2]
    assert best_first(torch.empty(0)).tolist() == []
