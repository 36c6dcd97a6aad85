"""The running mean of weights, against the same mean in plain arithmetic."""

from __future__ import annotations

import pytest
import torch

from tucker.models import TuckER
from tucker.training.average import _EVERY, Average


def model() -> TuckER:
    return TuckER(n_e=4, n_r=2, d_e=3, d_r=2)


def moved(average: Average, one: TuckER, steps: int) -> list[float]:
    """Give all of E the number of the step, step by step; return these numbers."""
    numbers = [float(step) for step in range(1, steps + 1)]
    for number in numbers:
        with torch.no_grad():
            one.E.fill_(number)
        average.update()
    return numbers


def test_the_first_steps_are_forgotten_faster():
    one = model()
    with torch.no_grad():
        one.E.zero_()
    average = Average(one, decay=0.9)
    mean = 0.0
    for step, number in enumerate(moved(average, one, _EVERY - 1), start=1):
        decay = min(0.9, step / (step + 10))
        mean = decay * mean + (1 - decay) * number
    assert torch.allclose(average.weights["E"], torch.tensor(mean))


def test_later_several_steps_are_taken_at_once():
    one = model()
    average = Average(one, decay=0.5)
    moved(average, one, 2 * _EVERY)
    before = average.weights["E"].clone()
    moved(average, one, _EVERY - 1)
    assert torch.equal(average.weights["E"], before)
    with torch.no_grad():
        one.E.fill_(7.0)
    average.update()
    decay = 0.5**_EVERY
    assert torch.allclose(average.weights["E"], decay * before + (1 - decay) * 7)


def test_counts_are_not_averaged():
    one = model()
    average = Average(one, decay=0.9)
    one.norm_query.num_batches_tracked += 5
    average.update()
    assert average.weights["norm_query.num_batches_tracked"] == 5


def test_the_mean_takes_the_place_of_the_weights_for_a_while():
    one = model()
    average = Average(one, decay=0.9)
    first = one.E.clone()
    with torch.no_grad():
        one.E.add_(1)
    with average.applied():
        assert torch.equal(one.E, first)
    assert torch.equal(one.E, first + 1)
    with pytest.raises(ValueError, match="on purpose"), average.applied():
        raise ValueError("on purpose")
    assert torch.equal(one.E, first + 1)
