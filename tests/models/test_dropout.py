from __future__ import annotations

import pytest
import torch

from tucker.models.dropout import Dropout


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("shape", [(400_001,), (7, 200, 200)])
def test_entries_are_dropped_with_their_probability_and_the_rest_scaled(p, shape) -> None:  # type: ignore[no-untyped-def]
    y = Dropout(p)(torch.ones(shape))
    assert (y == 0).double().mean().item() == pytest.approx(p, abs=0.005)
    kept = y[y != 0]
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - p)), rtol=1e-4, atol=0)
    assert y.mean().item() == pytest.approx(1.0, abs=0.02)


def test_neighbours_are_dropped_independently() -> None:
    """Four entries share a word of random bits: none may follow from another."""
    y = (Dropout(0.5)(torch.ones(400_000)) == 0).double().view(-1, 4)
    correlation = torch.corrcoef(y.T) - torch.eye(4)
    assert correlation.abs().max() < 0.01


def test_the_gradient_is_dropped_where_the_value_is() -> None:
    x = torch.randn(50, 40, requires_grad=True)
    y = Dropout(0.3)(x)
    y.sum().backward()
    torch.testing.assert_close(x.grad * x, y)  # type: ignore[operator]


def test_torchs_seed_decides_the_mask() -> None:
    masks = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        masks.append(Dropout(0.5)(torch.ones(100)))
    assert torch.equal(masks[0], masks[1])
    assert not torch.equal(masks[0], masks[2])


def test_outside_training_nothing_is_dropped() -> None:
    x = torch.randn(5)
    assert Dropout(0.5).eval()(x) is x
    assert Dropout(0.0)(x) is x
