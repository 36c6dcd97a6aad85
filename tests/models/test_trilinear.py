"""What the linear models share, each against the core tensor that its formula amounts to."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, einsum

from tests.contract.references import REFERENCES
from tucker.errors import SettingsError
from tucker.models import MODELS, Groups, Trilinear

N_E, N_R, D_E = 7, 5, 8
LINEAR = [name for name, model in MODELS.items() if issubclass(model, Trilinear)]


def make(name: str, **settings: object) -> Trilinear:
    torch.manual_seed(0)
    model = MODELS[name](n_e=N_E, n_r=N_R, d_e=D_E, **settings).double()
    assert isinstance(model, Trilinear)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return model


@pytest.fixture(params=LINEAR)
def model(request: pytest.FixtureRequest) -> Trilinear:
    return make(request.param, batch_norm=False).eval()


@pytest.fixture
def core(model: Trilinear) -> Tensor:
    """φ of all unit vectors, (d_e, d_r, d_e)."""
    d_r = model.R.shape[1]
    s, r = (
        x.flatten() for x in torch.meshgrid(torch.arange(D_E), torch.arange(d_r), indexing="ij")
    )
    unit_r = torch.eye(d_r).double()
    groups = Groups.of(r, 4)
    unit = torch.eye(D_E).double()[s]
    ready = model.operators(unit_r[groups.relation])
    return model.query(unit, ready, groups).view(D_E, d_r, D_E)


@pytest.fixture
def facts(model: Trilinear) -> tuple[Tensor, Tensor, Tensor, Groups]:
    """Embeddings of some facts, those of the relation a group, and the groups."""
    s, r, o = torch.tensor([[0, 2, 1], [1, 1, 3], [4, 2, 0], [6, 0, 6], [0, 2, 5]]).T
    groups = Groups.of(r, 2)
    return model.E[s], model.R[groups.relation], model.E[o], groups


def test_the_score_is_that_of_its_core(model: Trilinear, core: Tensor) -> None:
    phi = einsum("irj,si,tr,oj->sto", core, model.E, model.R, model.E)
    s, r = torch.arange(N_E).repeat(N_R), torch.arange(N_R).repeat_interleave(N_E)
    torch.testing.assert_close(model.score_objects(s, r), phi[s, r])


@pytest.mark.parametrize("name", LINEAR)
def test_the_score_is_its_formula(name: str) -> None:
    """As in the contract, yet with weights large enough to see every term."""
    model = make(name, batch_norm=False).eval()
    s, r, o = (torch.randint(n, (30,)) for n in (N_E, N_R, N_E))
    expected = [REFERENCES[name](model, *fact, None) for fact in zip(s, r, o, strict=True)]
    torch.testing.assert_close(model.score(s, r, o), torch.stack(expected))


def test_parts_are_products_with_its_core(
    model: Trilinear, core: Tensor, facts: tuple[Tensor, Tensor, Tensor, Groups]
) -> None:
    e_s, w_r, e_o, groups = facts
    a_fact, ready = w_r[groups.of_row], model.operators(w_r)
    for found, expected in [
        (model.without_object(e_s, ready, groups), einsum("irj,bi,br->bj", core, e_s, a_fact)),
        (model.without_subject(ready, e_o, groups), einsum("irj,br,bj->bi", core, a_fact, e_o)),
        (model.without_relation(e_s, e_o), einsum("irj,bi,bj->br", core, e_s, e_o)),
        (model.relation_matrix(w_r), einsum("irj,br->bij", core, w_r)),
    ]:
        torch.testing.assert_close(found, expected)


def test_moduli_keep_the_size_of_an_embedding(model: Trilinear) -> None:
    torch.testing.assert_close(model.moduli(model.E).square().sum(1), model.E.square().sum(1))
    assert (model.moduli(model.R) >= 0).all()


def test_moduli_have_a_gradient_even_at_zero(model: Trilinear) -> None:
    zero = torch.zeros(1, D_E, requires_grad=True)
    model.moduli(zero).pow(3).sum().backward()
    assert torch.equal(zero.grad, torch.zeros(1, D_E))


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("place", ["subject", "query"])
def test_each_dropout_acts_in_training_alone(name: str, place: str) -> None:
    dropouts = {f"dropout_{other}": 0.5 * (other == place) for other in ("subject", "query")}
    more = {"dropout_relation": 0.0} if name == "tucker" else {}
    model = make(name, batch_norm=False, **dropouts, **more)
    s, r = torch.arange(N_E), torch.arange(N_E) % N_R
    bare = model.eval().queries(s, r)
    torch.testing.assert_close(bare, model.queries(s, r))
    q = model.train().queries(s, r)
    assert not torch.allclose(q, bare)
    if place == "query":
        torch.testing.assert_close(q[q != 0], 2 * bare[q != 0])


@pytest.mark.parametrize("name", LINEAR)
def test_normalisation_comes_before_and_after_the_product(name: str) -> None:
    model = make(name, batch_norm=True).eval()
    for norm in (model.norm_subject, model.norm_query):
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.5, 2)
    r = torch.arange(N_E) % N_R
    e_s = model.norm_subject(model.E)
    bare = einsum("bi,bij->bj", e_s, model.relation_matrix(model.R[r]))
    torch.testing.assert_close(model.queries(torch.arange(N_E), r, 4), model.norm_query(bare))


@pytest.mark.parametrize(
    ("name", "parts"), {"complex": 2, "simple": 2, "cp": 2, "analogy": 4}.items()
)
def test_a_size_that_cannot_be_cut_is_refused(name: str, parts: int) -> None:
    with pytest.raises(SettingsError, match=rf"d_e is 9: .* must be a multiple of {parts}"):
        MODELS[name](n_e=N_E, n_r=N_R, d_e=9)
