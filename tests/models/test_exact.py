"""TuckER equal to the models before it, and exact for any facts: the paper's section 5."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from tests.models.test_trilinear import D_E, LINEAR, N_E, N_R, make
from tucker.errors import GraphError
from tucker.models import Trilinear, TuckER
from tucker.models.distmult import DistMult

RANK = D_E // 2


def all_scores(model: Trilinear) -> torch.Tensor:
    s, r = torch.arange(model.n_e).repeat(model.n_r), torch.arange(model.n_r)
    return model.score_objects(s, r.repeat_interleave(model.n_e)).detach()


@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("name", LINEAR)
def test_as_tucker_scores_the_same(name: str, batch_norm: bool) -> None:
    model = make(name, batch_norm=batch_norm, dropout_subject=0.25, dropout_query=0.125)
    model.queries(torch.arange(N_E), torch.arange(N_E) % N_R)  # moves the running statistics
    tucker = model.eval().as_tucker()
    assert isinstance(tucker, TuckER)
    assert not tucker.training
    torch.testing.assert_close(all_scores(tucker), all_scores(model))
    assert torch.equal(tucker.E, model.E)
    assert (tucker.dropout_subject.p, tucker.dropout_query.p) == (0.25, 0.125)


@pytest.mark.parametrize("name", LINEAR)
def test_as_tucker_trains_as_the_model_does_and_then_beyond_it(name: str) -> None:
    quiet = {"dropout_subject": 0.0, "dropout_query": 0.0}
    quiet |= {"dropout_relation": 0.0} if name == "tucker" else {}
    model = make(name, batch_norm=True, **quiet).train()
    tucker = model.as_tucker()
    s, r = torch.arange(N_E), torch.arange(N_E) % N_R
    torch.testing.assert_close(tucker.score_objects(s, r), model.score_objects(s, r))
    before = tucker.core.detach().clone()
    tucker.score_objects(s, r).square().sum().backward()
    torch.optim.SGD(tucker.parameters(), lr=0.1).step()
    assert not torch.equal(tucker.core, before)
    assert model.as_tucker().core.equal(before)  # the model it was made from is left alone


def diagonal(core: torch.Tensor, i: int, r: int, j: int) -> torch.Tensor:
    """The elements on one of the tensor diagonals that the paper's figure 2 draws."""
    k = torch.arange(RANK)
    return core[i * RANK + k, r * RANK + k, j * RANK + k]


def test_the_core_of_distmult_is_superdiagonal() -> None:
    core = make("distmult").as_tucker().core
    k = torch.arange(D_E)
    assert (core[k, k, k] == 1).all()
    assert core.count_nonzero() == D_E


def test_the_core_of_complex_is_figure_2b() -> None:
    core = make("complex").as_tucker().core
    for place, value in {(0, 0, 0): 1, (1, 0, 1): 1, (0, 1, 1): 1, (1, 1, 0): -1}.items():
        assert (diagonal(core, *place) == value).all()
    assert core.count_nonzero() == 4 * RANK


def test_the_core_of_simple_is_figure_2c() -> None:
    core = make("simple").as_tucker().core
    assert (diagonal(core, 0, 0, 1) == 0.5).all()
    assert (diagonal(core, 1, 1, 0) == 0.5).all()
    assert core.count_nonzero() == 2 * RANK


def test_the_core_of_cp_takes_heads_from_subjects_and_tails_from_objects() -> None:
    core = make("cp").as_tucker().core
    assert core.shape == (D_E, RANK, D_E)
    assert (diagonal(core, 0, 0, 1) == 1).all()
    assert core.count_nonzero() == RANK


def test_the_core_of_rescal_holds_its_matrices() -> None:
    rescal = make("rescal")
    tucker = rescal.as_tucker()
    assert torch.equal(tucker.R, torch.eye(N_R).double())
    assert torch.equal(tucker.core, rescal.R.view(N_R, D_E, D_E).transpose(0, 1))


@given(st.data(), st.integers(1, 6), st.integers(1, 4))
def test_any_facts_are_represented_exactly(data: st.DataObject, n_e: int, n_r: int) -> None:
    entity = st.integers(0, n_e - 1)
    triples = data.draw(st.lists(st.tuples(entity, st.integers(0, n_r - 1), entity)))
    model = TuckER.exact(torch.tensor(triples), n_e, n_r)
    assert (model.E.shape, model.R.shape) == ((n_e, n_e), (n_r, n_r))
    facts = {
        (s, r, o)
        for s in range(n_e)
        for r in range(n_r)
        for o in range(n_e)
        if model.score(*torch.tensor([[s], [r], [o]])) > 0
    }
    assert facts == set(triples)
    assert set(all_scores(model).flatten().tolist()) <= {-1.0, 1.0}


def test_exact_takes_triples_of_a_graph() -> None:
    triples = np.array([[0, 0, 1], [2, 1, 0]])
    assert (all_scores(TuckER.exact(triples, 3, 2)) > 0).sum() == 2


def test_distmult_cannot_tell_the_direction_of_a_relation() -> None:
    """Whatever its weights are, it scores (a, r, b) and (b, r, a) alike; one of them is false."""
    distmult = make("distmult")
    s, r, o = (torch.randint(n, (200,)) for n in (N_E, N_R, N_E))
    torch.testing.assert_close(distmult.score(s, r, o), distmult.score(o, r, s))
    exact = TuckER.exact(torch.tensor([[0, 0, 1]]), 2, 1)
    assert all_scores(exact).tolist() == [[-1, 1], [-1, -1]]


def test_training_shows_the_same() -> None:
    """“Precedes” on six entities: TuckER separates true from false, DistMult cannot."""
    n = 6
    labels = torch.triu(torch.ones(n, n), diagonal=1)
    s, r = torch.arange(n), torch.zeros(n, dtype=torch.long)
    wrong = {}
    for cls in (DistMult, TuckER):
        torch.manual_seed(0)
        more = {"d_r": 2, "dropout_relation": 0.0} if cls is TuckER else {}
        model = cls(
            n_e=n, n_r=1, d_e=n, dropout_subject=0.0, dropout_query=0.0, batch_norm=False, **more
        )
        optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
        for _ in range(300):
            optimiser.zero_grad()
            F.binary_cross_entropy_with_logits(model.score_objects(s, r), labels).backward()
            optimiser.step()
        wrong[cls] = int(((model.score_objects(s, r) > 0) != (labels > 0)).sum())
    assert wrong[TuckER] == 0
    assert wrong[DistMult] >= n * (n - 1) // 2  # of each pair at least one direction


@pytest.mark.parametrize(
    "triples", [[[0, 0, -1]], [[0, 0, 99]], [[0, 9, 0]], [[0, 0, 0, 1]] * 3, [[0.0, 0.0, 1.7]]]
)
def test_only_ids_make_an_exact_model(triples: list[list[float]]) -> None:
    with pytest.raises(GraphError, match="rows of three ids"):
        TuckER.exact(torch.tensor(triples), 3, 2)
