"""The list of models says of each what its class says and does."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tucker.graph import load_graph
from tucker.graph.datasets.catalogue import DATASETS
from tucker.mixture import TRAINED
from tucker.reproduction.family import count_parameters, family, graph_size

ROOT = Path(__file__).parents[2]
N_E, N_R = 11, 3


def test_every_model_is_a_row_of_table_1() -> None:
    members = {member.name: member for member in family()}
    assert members.keys() == TRAINED.keys()
    for member in members.values():
        assert member.score.startswith("φ(s, r, o) = ")
        assert member.space.startswith("O(")
        assert not member.parameters
    assert members["rescal"].score == "φ(s, r, o) = e_sᵀ W_r e_o"
    assert members["rescal"].space == "O(n_e d_e + n_r d_e²)"
    assert members["complex"].relation == "w_r ∈ C^{d_e/2}"
    expressive = {name for name, member in members.items() if member.fully_expressive}
    assert expressive >= {"tucker", "rescal", "complex", "simple", "cp", "analogy"}
    assert not expressive & {"distmult", "transe"}


@pytest.mark.parametrize("name", TRAINED)
def test_parameters_are_counted_without_making_them(name: str) -> None:
    real = TRAINED[name](n_e=N_E, n_r=2 * N_R)
    assert count_parameters(name, N_E, N_R) == real.count_parameters()


def test_counts_are_the_papers() -> None:
    """ComplEx and SimplE of rank 100 on FB15k-237, as in the paper: about 3 million."""
    counts = {member.name: member.parameters for member in family({"FB15k-237": (14_541, 237)})}
    for name in ("complex", "simple"):
        assert counts[name] == {"FB15k-237": 200 * (14_541 + 2 * 237)}
    assert counts["tucker"]["FB15k-237"] == 200 * (14_541 + 2 * 237) + 200**3 + 4 * 200


def test_a_dataset_is_counted_without_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TUCKER_DATA", raising=False)
    for name, dataset in DATASETS.items():
        assert graph_size(name) == (dataset.entities, dataset.relations)
    world = load_graph("world")
    assert graph_size("world") == (world.n_e, world.n_r)


def test_counting_leaves_no_default_device_behind() -> None:
    count_parameters("tucker", N_E, N_R)
    assert torch.empty(1).device.type == "cpu"
