"""The state of an unfinished training, in one file without pickle."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from tucker.errors import RunError
from tucker.files import whole_file
from tucker.models import Model


@dataclass
class State:
    """Where a training stands, besides the tensors."""

    epoch: int = 1  # the epoch under way, from 1
    batch: int = 0  # batches of it that are done
    loss: float = 0.0  # mean over those of them whose loss was looked at
    seconds: float = 0.0  # spent in all
    best_epoch: int = 0
    best_mrr: float = -1.0
    averaged: int = 0  # steps in the running mean of the weights
    done: bool = False
    journal: list[dict[str, Any]] = field(default_factory=list)


def save_checkpoint(
    path: Path,
    state: State,
    model: Model,
    optimiser: torch.optim.Optimizer,
    more: dict[str, dict[str, Tensor]],
) -> None:
    """Write everything that a training needs to go on exactly where it stands.

    `more` are further sets of weights by name: the best so far, the running mean.
    """
    sets = more | {"model": model.state_dict()}
    tensors = {f"{of}.{name}": value for of, set in sets.items() for name, value in set.items()}
    for index, values in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{index}.{name}": value for name, value in values.items()}
    tensors["random"] = torch.get_rng_state()
    with whole_file(path) as temporary:
        save_file(
            {name: value.contiguous() for name, value in tensors.items()},
            temporary,
            metadata={"state": json.dumps(asdict(state))},
        )


def load_checkpoint(
    path: Path, model: Model, optimiser: torch.optim.Optimizer
) -> tuple[State, dict[str, dict[str, Tensor]]]:
    """Put a model and an optimiser where a checkpoint left them; return the rest of its state."""
    try:
        with safe_open(path, framework="pt") as file:
            state = State(**json.loads(file.metadata()["state"]))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise RunError(f"{path}: this checkpoint cannot be read ({error}); start anew") from error
    model.load_state_dict(_below("model.", tensors))
    groups = optimiser.state_dict()["param_groups"]
    slots: dict[int, dict[str, Tensor]] = {}
    for name, value in _below("optimiser.", tensors).items():
        index, key = name.split(".", 1)
        slots.setdefault(int(index), {})[key] = value
    optimiser.load_state_dict({"state": slots, "param_groups": groups})
    torch.set_rng_state(tensors["random"])
    others = {name.partition(".")[0] for name in tensors} - {"model", "optimiser", "random"}
    return state, {of: _below(f"{of}.", tensors) for of in others}


def _below(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }
