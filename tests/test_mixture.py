from __future__ import annotations

import pytest
import torch

from tucker.errors import SettingsError
from tucker.mixture import Sum
from tucker.models import MODELS

N_E, N_R = 7, 4
PARTS = {"tucker": {"d_e": 6, "d_r": 4, "blocks": 2}, "complex": {"d_e": 8}, "rescal": {"d_e": 3}}


def trained(name):
    """Return a model with weights and normalisations as training leaves them: of all sizes."""
    model = MODELS[name](n_e=N_E, n_r=N_R, **PARTS[name])
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()]:
            if tensor.is_floating_point():
                tensor.uniform_(0.5, 1.5)
    return model.eval()


@pytest.fixture(params=[("tucker", "complex"), ("rescal", "tucker")])
def parts(request):
    torch.manual_seed(0)
    return [trained(name) for name in request.param]


def everything():
    return torch.cartesian_prod(torch.arange(N_E), torch.arange(N_R), torch.arange(N_E)).T


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_its_scores_are_the_sum(parts, weight):
    s, r, o = everything()
    first, second = (part.score(s, r, o) for part in parts)
    expected = first + weight * second
    both = Sum(*parts, weight=weight)
    assert torch.allclose(both.score(s, r, o), expected)
    assert torch.allclose(both.score_objects(s, r).gather(1, o[:, None])[:, 0], expected)


def test_its_core_has_theirs_as_blocks(parts):
    """W_r is block-diagonal, which no part's normalisation enters."""
    first, second = (part.relation_matrix(part.R) for part in parts)
    both = Sum(*parts, weight=0.3)
    W = both.relation_matrix(both.R)
    for r in range(N_R):
        assert torch.allclose(W[r], torch.block_diag(first[r], 0.3 * second[r]))


def test_its_other_parts_of_the_formula_agree(parts):
    """φ without normalisation, from any two of its three embeddings."""
    both = Sum(*parts, weight=0.3)
    s, r, o = everything()
    ready = both.relations(r)
    e_s, w_r, e_o = both.E[s], both.R[r], both.E[o]
    of_object = (both.without_object(e_s, ready.operators, ready.groups) * e_o).sum(1)
    of_subject = (both.without_subject(ready.operators, e_o, ready.groups) * e_s).sum(1)
    assert torch.allclose(of_object, of_subject)
    assert torch.allclose(of_object, (both.without_relation(e_s, e_o) * w_r).sum(1), rtol=1e-4)


def test_it_has_their_parameters_and_leaves_them_alone(parts):
    before = [{name: value.clone() for name, value in part.state_dict().items()} for part in parts]
    both = Sum(*parts)
    assert both.count_parameters() == sum(part.count_parameters() for part in parts)
    assert not both.training
    with torch.no_grad():
        for parameter in both.parameters():
            parameter.zero_()
    for part, state in zip(parts, before, strict=True):
        assert all(state[name].equal(value) for name, value in part.state_dict().items())


def test_only_linear_models_add_up():
    conve = MODELS["conve"](n_e=N_E, n_r=N_R)
    with pytest.raises(SettingsError, match="ConvE is not linear in its embeddings"):
        Sum(conve, conve)


def test_it_becomes_no_tucker(parts):
    with pytest.raises(SettingsError, match="sum of two models cannot become one TuckER"):
        Sum(*parts).as_tucker()
