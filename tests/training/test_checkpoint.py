"""A checkpoint holds everything that a training needs to go on."""

from __future__ import annotations

import pytest
import torch
from safetensors import safe_open

from tucker.errors import RunError
from tucker.models import TuckER
from tucker.training.checkpoint import State, load_checkpoint, save_checkpoint


def stepped(seed: int = 0) -> tuple[TuckER, torch.optim.Adam]:
    """Return a model and an optimiser that has taken two steps."""
    torch.manual_seed(seed)
    model = TuckER(n_e=5, n_r=2, d_e=4, d_r=2)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    step(model, optimiser, 2)
    return model, optimiser


def step(model: TuckER, optimiser: torch.optim.Adam, steps: int) -> None:
    for _ in range(steps):
        optimiser.zero_grad()
        model.score_objects(torch.arange(5), torch.zeros(5, dtype=torch.long)).sum().backward()
        optimiser.step()


def test_what_is_saved_goes_on_exactly(tmp_path):
    path = tmp_path / "checkpoints" / "last.safetensors"
    path.parent.mkdir()
    model, optimiser = stepped()
    state = State(epoch=3, batch=2, loss=0.5, best_mrr=0.25, journal=[{"epoch": 1, "loss": 1.5}])
    best = {"best": {name: value + 1 for name, value in model.state_dict().items()}}
    save_checkpoint(path, state, model, optimiser, best)
    step(model, optimiser, 2)  # with dropout: the random state counts as well

    again, other = stepped(seed=9)
    found, more = load_checkpoint(path, again, other)
    step(again, other, 2)
    assert found == state
    assert set(more) == {"best"}
    assert all(torch.equal(more["best"][name], best["best"][name]) for name in best["best"])
    for name, value in model.state_dict().items():
        assert torch.equal(again.state_dict()[name], value)


def test_it_is_one_file_that_others_can_read(tmp_path):
    model, optimiser = stepped()
    save_checkpoint(tmp_path / "x.safetensors", State(), model, optimiser, {})
    with safe_open(tmp_path / "x.safetensors", framework="pt") as file:
        assert {"model.E", "optimiser.0.exp_avg", "random"} <= set(file.keys())


@pytest.mark.parametrize("content", [b"", b"no tensors"])
def test_a_file_that_is_none_is_refused(tmp_path, content):
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    with pytest.raises(RunError, match="this checkpoint cannot be read"):
        load_checkpoint(path, *stepped())
