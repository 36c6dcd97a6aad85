"""TransE, RotatE and TorusE beyond the shared suite: their norms and their edges."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tucker.errors import SettingsError
from tucker.models.rotate import RotatE
from tucker.models.toruse import TorusE
from tucker.models.transe import TransE

N_E, N_R = 40, 4


def triples(count: int = 60) -> tuple[Tensor, Tensor, Tensor]:
    s, o = torch.randint(N_E, (2, count))
    return s, torch.randint(N_R, (count,)), o


def difference(model: TransE | TorusE, s: Tensor, r: Tensor, o: Tensor) -> Tensor:
    return model.E[s] + model.R[r] - model.E[o]


@pytest.mark.parametrize(("norm", "p"), [("l1", 1), ("l2", 2)])
def test_transe_has_two_norms(norm, p) -> None:  # type: ignore[no-untyped-def]
    model = TransE(n_e=N_E, n_r=N_R, d_e=6, norm=norm, gamma=3.0).double()
    s, r, o = triples()
    expected = 3 - difference(model, s, r, o).norm(p=p, dim=1)
    torch.testing.assert_close(model.score(s, r, o), expected)
    every = model.score_objects(s, r)  # more than 25 at once: by products
    torch.testing.assert_close(every[torch.arange(len(s)), o], expected)


@pytest.mark.parametrize("norm", ["l1", "l2", "el2"])
def test_toruse_has_three_norms(norm) -> None:  # type: ignore[no-untyped-def]
    model = TorusE(n_e=N_E, n_r=N_R, d_e=6, norm=norm, gamma=3.0).double()
    s, r, o = triples()
    x = difference(model, s, r, o)
    shortest = torch.stack([(x + whole).abs() for whole in range(-6, 7)]).amin(0)
    chord = torch.exp(2j * torch.pi * (model.E[s] + model.R[r])) - torch.exp(
        2j * torch.pi * model.E[o]
    )
    distance = {
        "l1": 2 * shortest.sum(1),
        "l2": (2 * shortest).square().sum(1),
        "el2": chord.abs().square().sum(1) / 4,
    }[norm]
    torch.testing.assert_close(model.score(s, r, o), 3 - distance)


def test_the_scale_of_a_torus_weighs_distances_and_draws_embeddings_farther_apart() -> None:
    model = TorusE(n_e=N_E, n_r=N_R, d_e=6, gamma=3.0).double()
    soft = TorusE(n_e=N_E, n_r=N_R, d_e=6, gamma=3.0, scale=0.25).double()
    assert soft.E.abs().max() > 2 * model.E.abs().max()
    soft.load_state_dict(model.state_dict())
    s, r, o = triples()
    expected = 3 - (3 - model.score(s, r, o)) / 4
    torch.testing.assert_close(soft.score(s, r, o), expected)
    every = soft.score_objects(s, r)
    torch.testing.assert_close(every[torch.arange(len(s)), o], expected)
    with pytest.raises(SettingsError, match=r"model\.scale is 0: it must be above 0"):
        TorusE(n_e=N_E, n_r=N_R, scale=0)


def test_whole_turns_change_nothing_on_a_torus() -> None:
    model = TorusE(n_e=N_E, n_r=N_R, d_e=6).double()
    s, r, o = triples()
    before = model.score(s, r, o)
    with torch.no_grad():
        model.E += torch.randint(-3, 4, model.E.shape)
    torch.testing.assert_close(model.score(s, r, o), before)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_rotate_has_two_norms(norm) -> None:  # type: ignore[no-untyped-def]
    model = RotatE(n_e=N_E, n_r=N_R, d_e=6, norm=norm, gamma=3.0).double()
    s, r, o = triples()
    e_s, e_o = (torch.complex(*model.E[ids].chunk(2, dim=1)) for ids in (s, o))
    moduli = (e_s * torch.exp(1j * model.R[r]) - e_o).abs()
    expected = 3 - moduli.norm(p={"l1": 1, "l2": 2}[norm], dim=1)
    torch.testing.assert_close(model.score(s, r, o), expected)
    every = model.score_objects(s, r)
    torch.testing.assert_close(every[torch.arange(len(s)), o], expected)


def test_rotations_keep_lengths() -> None:
    model = RotatE(n_e=N_E, n_r=N_R, d_e=6)
    s, r, _ = triples()
    torch.testing.assert_close(model.queries(s, r).norm(dim=1), model.E[s].norm(dim=1))


def test_a_rotation_by_nothing_has_a_gradient() -> None:
    model = RotatE(n_e=N_E, n_r=N_R, d_e=6)
    torch.nn.init.zeros_(model.R)
    s, r, _ = triples()
    model.score_objects(s, r).sum().backward()
    assert torch.isfinite(model.E.grad.to_dense()).all()  # type: ignore[union-attr]
    assert torch.isfinite(model.R.grad).all()  # type: ignore[arg-type]


def test_rotate_needs_an_even_size() -> None:
    with pytest.raises(SettingsError, match=r"d_e is 7: .* must be even"):
        RotatE(n_e=N_E, n_r=N_R, d_e=7)
