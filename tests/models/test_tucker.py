"""TuckER against the paper's equation and training procedure."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from tucker.errors import SettingsError
from tucker.models import TuckER

N_E, N_R, D_E, D_R = 11, 4, 5, 3


def model(**dropouts: float) -> TuckER:
    none = {f"dropout_{place}": 0.0 for place in ("subject", "relation", "query")}
    return TuckER(n_e=N_E, n_r=N_R, d_e=D_E, d_r=D_R, **(none | dropouts)).double()


def without_norm(tucker: TuckER) -> TuckER:
    """Make both batch normalisations the identity, so that the bare formula is left."""
    for norm in (tucker.norm_subject, tucker.norm_query):
        norm.eps = 0.0
    return tucker.eval()


def all_pairs() -> tuple[torch.Tensor, torch.Tensor]:
    s, r = torch.meshgrid(torch.arange(N_E), torch.arange(N_R), indexing="ij")
    return s.flatten(), r.flatten()


def test_scores_are_the_papers_equation() -> None:
    tucker = without_norm(model())
    E, R, W = (p.detach().numpy() for p in (tucker.E, tucker.R, tucker.core))
    phi = np.einsum("ijk,si,rj,ok->sro", W, E, R, E)  # W ×₁ e_s ×₂ w_r ×₃ e_o
    s, r = all_pairs()
    np.testing.assert_allclose(tucker.score_objects(s, r).detach().numpy(), phi[s, r], atol=1e-12)


def test_core_has_the_papers_shape() -> None:
    assert model().core.shape == (D_E, D_R, D_E)


def test_a_triples_score_is_an_entry_of_all_objects_scores() -> None:
    tucker = model().eval()
    s, r = all_pairs()
    o = torch.randint(N_E, s.shape)
    rows = torch.arange(len(s))
    torch.testing.assert_close(tucker.score(s, r, o), tucker.score_objects(s, r)[rows, o])


def test_training_forward_is_the_row_wise_form_of_the_authors() -> None:
    tucker = model().train()
    s, r = all_pairs()
    x = F.batch_norm(tucker.E[s], None, None, training=True)
    W_r = torch.einsum("ijk,nj->nik", tucker.core, tucker.R[r])  # one matrix a row
    x = F.batch_norm(torch.einsum("ni,nik->nk", x, W_r), None, None, training=True)
    torch.testing.assert_close(tucker.score_objects(s, r), x @ tucker.E.T)


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_grouping_changes_no_score(size: int) -> None:
    tucker = model().train()
    s, r = torch.randint(N_E, (40,)), torch.randint(N_R, (40,))
    torch.testing.assert_close(tucker.queries(s, r, size), tucker.queries(s, r, 1))


def test_initialisation_is_the_authors() -> None:
    tucker = TuckER(n_e=3000, n_r=400, d_e=40, d_r=30)
    core = tucker.core.detach()
    assert core.min() >= -1
    assert core.max() <= 1
    assert core.std().item() == pytest.approx(3**-0.5, rel=0.02)  # uniform in [-1, 1]
    for matrix in (tucker.E.detach(), tucker.R.detach()):  # Xavier, normal
        assert matrix.std().item() == pytest.approx((2 / sum(matrix.shape)) ** 0.5, rel=0.05)


@pytest.mark.parametrize("place", ["subject", "relation", "query"])
def test_each_dropout_acts_in_training_alone(place: str) -> None:
    tucker = model(**{f"dropout_{place}": 0.5})
    s, r = all_pairs()
    assert not torch.equal(tucker.queries(s, r), tucker.queries(s, r))
    tucker.eval()
    assert torch.equal(tucker.queries(s, r), tucker.queries(s, r))


def test_dropout_of_the_relation_matrix_is_drawn_once_a_group() -> None:
    tucker = without_norm(model(dropout_relation=0.5))
    tucker.dropout_relation.train()
    s, r = torch.full((8,), 2), torch.full((8,), 1)
    q = tucker.queries(s, r, group_size=4)
    assert torch.equal(q[0], q[3])
    assert not torch.equal(q[0], q[4])


def test_dropout_of_the_query_zeroes_entries() -> None:
    tucker = model(dropout_query=0.5)
    s, r = all_pairs()
    share = (tucker.queries(s, r) == 0).double().mean().item()
    assert share == pytest.approx(0.5, abs=0.15)


def test_gradients_reach_every_parameter() -> None:
    tucker = model()
    s, r = all_pairs()
    tucker.score_objects(s, r).square().sum().backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in tucker.parameters())


def test_parameters_are_counted_as_in_the_paper() -> None:
    # WN18RR, d_e = 200, d_r = 30: about 9.4 million (section 6.3)
    tucker = TuckER(n_e=40_943, n_r=22, d_e=200, d_r=30)
    assert tucker.count_parameters() == 40_943 * 200 + 22 * 30 + 200 * 30 * 200 + 4 * 200
    assert round(tucker.count_parameters() / 1e6, 1) == 9.4


@pytest.fixture(params=[2, 3])
def in_blocks(request: pytest.FixtureRequest) -> TuckER:
    torch.manual_seed(0)
    return TuckER(n_e=N_E, n_r=N_R, d_e=12, d_r=6, blocks=request.param, batch_norm=False).double()


def test_blocks_meet_only_each_other(in_blocks: TuckER) -> None:
    tucker = in_blocks.eval()
    E, R = (p.chunk(tucker.blocks, dim=1) for p in (tucker.E, tucker.R))
    cores = tucker.core.chunk(tucker.blocks)
    phi = sum(
        torch.einsum("ijk,si,rj,ok->sro", W, e, w, e) for W, e, w in zip(cores, E, R, strict=True)
    )
    s, r = all_pairs()
    torch.testing.assert_close(tucker.score_objects(s, r), phi[s, r])
    torch.testing.assert_close(tucker.as_tucker().score_objects(s, r), phi[s, r])


def test_a_core_in_blocks_is_one_with_zeros(in_blocks: TuckER) -> None:
    tucker = in_blocks.eval()
    R, W = tucker.relations_and_core()
    assert W.shape == (12, 6, 12)
    assert W.count_nonzero() == tucker.core.numel()
    s, r = all_pairs()
    o = s.flip(0)
    relations = tucker.relations(r, 4)
    e_s, e_o = tucker.E[s], tucker.E[o]
    from_object = tucker.without_subject(relations.operators, e_o, relations.groups)
    torch.testing.assert_close(from_object, torch.einsum("ijk,nj,nk->ni", W, R[r], e_o))
    between = tucker.without_relation(e_s, e_o)
    torch.testing.assert_close(between, torch.einsum("ijk,ni,nk->nj", W, e_s, e_o))
    W_r = tucker.relation_matrix(R)
    torch.testing.assert_close(W_r, torch.einsum("ijk,rj->rik", W, R))


@pytest.mark.parametrize(("size", "d_e", "d_r"), [("d_e", 5, 4), ("d_r", 4, 5)])
def test_sizes_must_make_whole_blocks(size: str, d_e: int, d_r: int) -> None:
    with pytest.raises(SettingsError, match=rf"model\.{size} is 5: .* multiple of"):
        TuckER(n_e=N_E, n_r=N_R, d_e=d_e, d_r=d_r, blocks=2)
