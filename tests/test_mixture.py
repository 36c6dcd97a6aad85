"""Two models whose scores add up, and a model and rules, against the scores of each alone."""

from __future__ import annotations

import pytest
import torch

from tests.conftest import make_graph
from tests.reasoning import by_hand
from tests.reasoning.by_hand import dense, facts, some_rules
from tucker.errors import RunError, SettingsError
from tucker.evaluation.ranking import rank
from tucker.graph import Answers
from tucker.mixture import (
    LEARNERS,
    LinearMixture,
    Member,
    RuleMixture,
    build_model,
    check_size,
    members,
)
from tucker.models import MODELS

N_E, N_R = by_hand.N_E, 2 * by_hand.N_R
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
    both = LinearMixture(*parts, weight=weight)
    assert torch.allclose(both.score(s, r, o), expected)
    assert torch.allclose(both.score_objects(s, r).gather(1, o[:, None])[:, 0], expected)


def test_its_core_has_theirs_as_blocks(parts):
    """W_r is block-diagonal, which no part's normalisation enters."""
    first, second = (part.relation_matrix(part.R) for part in parts)
    both = LinearMixture(*parts, weight=0.3)
    W = both.relation_matrix(both.R)
    for r in range(N_R):
        assert torch.allclose(W[r], torch.block_diag(first[r], 0.3 * second[r]))


def test_its_other_parts_of_the_formula_agree(parts):
    """φ without normalisation, from any two of its three embeddings."""
    both = LinearMixture(*parts, weight=0.3)
    s, r, o = everything()
    ready = both.relations(r)
    e_s, w_r, e_o = both.E[s], both.R[r], both.E[o]
    of_object = (both.without_object(e_s, ready.operators, ready.groups) * e_o).sum(1)
    of_subject = (both.without_subject(ready.operators, e_o, ready.groups) * e_s).sum(1)
    assert torch.allclose(of_object, of_subject)
    assert torch.allclose(of_object, (both.without_relation(e_s, e_o) * w_r).sum(1), rtol=1e-4)


def test_it_has_their_parameters_and_leaves_them_alone(parts):
    before = [{name: value.clone() for name, value in part.state_dict().items()} for part in parts]
    both = LinearMixture(*parts)
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
        LinearMixture(conve, conve)


def test_it_becomes_no_tucker(parts):
    with pytest.raises(SettingsError, match="sum of two models cannot become one TuckER"):
        LinearMixture(*parts).as_tucker()


@pytest.fixture(params=["tucker", "complex", "transe"])
def model(request):
    sizes = {"tucker": {"d_e": 6, "d_r": 4}, "complex": {"d_e": 6}, "transe": {"d_e": 6}}
    return MODELS[request.param](n_e=N_E, n_r=N_R, **sizes[request.param]).eval()


@pytest.fixture
def questions():
    return torch.cartesian_prod(torch.arange(N_E), torch.arange(N_R)).T


def test_scores_are_the_models_and_the_rules(model, questions):
    rules = some_rules()
    both = RuleMixture(model, rules, weight=0.3)
    s, r = questions
    expected = model.score_objects(s, r) + 0.3 * dense(rules).view(-1, N_E)
    torch.testing.assert_close(both.score_objects(s, r), expected)
    o = torch.arange(len(s)) % N_E
    torch.testing.assert_close(both.score(s, r, o), expected.gather(1, o[:, None])[:, 0])


def test_an_object_may_be_met_twice_and_in_any_order(model, questions):
    both = RuleMixture(model, some_rules(), weight=2.0)
    some = torch.tensor([3, 0, 3, 8])
    q, objects = both.queries(*questions), both.objects(both.entities())
    torch.testing.assert_close(both.meet(q, objects[some]), both.meet(q, objects)[some])


def test_other_facts_are_followed_once_they_are_told(model, questions):
    both = RuleMixture(model, some_rules())
    before = both.score_objects(*questions)
    both.take_facts(facts()[:-8])
    after = both.score_objects(*questions)
    assert not torch.equal(before, after)
    both.take_facts(facts())
    torch.testing.assert_close(both.score_objects(*questions), before)


def test_ranks_are_those_of_the_scores(model):
    graph = make_graph(N_E, by_hand.N_R, facts=30)
    both = RuleMixture(model, some_rules())
    none = Answers.of(graph.train[:0], N_E, graph.n_r)
    ranks = rank(both, graph.train, none, graph.n_r).ranks("pessimistic")
    s, r, o = torch.from_numpy(graph.train).T
    with torch.no_grad():
        for row, (a, b, c) in enumerate([(s, r, o), (o, r + graph.n_r, s)]):
            scores = both.score_objects(a, b)
            expected = (scores >= scores.gather(1, c[:, None]) - 1e-6).sum(1)
            assert ranks[row].tolist() == expected.tolist()


def test_too_large_a_graph_is_refused():
    with pytest.raises(SettingsError, match="rules: 16,777,217 entities and 4 relations are too"):
        check_size((1 << 24) + 1, 8)
    with pytest.raises(SettingsError, match="at most 16,777,216 and 8,192 may be: leave rules out"):
        check_size(100, 20_000)
    check_size(1 << 24, 1 << 14)


def test_the_parameters_of_both_are_counted(model):
    rules = some_rules()
    learned = 2 * len(rules.codes) + 4 * N_R
    assert RuleMixture(model, rules).count_parameters() == model.count_parameters() + learned


OWN = {"name": "distmult", "d_e": 4}
BESIDE = {"model": {"name": "complex", "d_e": 6}, "weight": 0.5}


def test_a_recipe_names_its_members():
    config = {"model": OWN, "beside": BESIDE, "rules": {"weight": 2.0, "most": 9}}
    assert members(config) == [
        Member("distmult", {"d_e": 4}),
        Member("complex", {"d_e": 6}, 0.5),
        Member("rules", {}, 2.0),
    ]
    assert members({"model": OWN, "beside": None}) == [Member("distmult", {"d_e": 4})]
    assert {member.learner for member in members(config)} <= set(LEARNERS)


def test_its_members_are_built_and_told_the_facts():
    graph = make_graph(by_hand.N_E, by_hand.N_R, facts=30)
    whole = build_model({"model": OWN, "beside": BESIDE, "rules": {"weight": 2.0}}, graph)
    assert isinstance(whole, RuleMixture)
    assert isinstance(whole.embedding, LinearMixture)
    assert whole.E.shape == (graph.n_e, 4 + 6)
    assert len(whole.rules.edges.step) > 0
    assert type(build_model({"model": OWN}, graph)) is LEARNERS["distmult"]


@pytest.mark.parametrize("name", ["rules", "nothing", None])
def test_only_a_model_stands_where_a_model_is_named(name):
    with pytest.raises(RunError, match="there is no model"):
        members({"model": {"name": name}})


def test_a_model_that_is_listed_later_is_a_learner_too(monkeypatch):
    monkeypatch.setitem(MODELS, "mine", MODELS["distmult"])
    assert LEARNERS["mine"] is MODELS["distmult"]
    assert "mine" in LEARNERS
