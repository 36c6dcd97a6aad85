from __future__ import annotations

from collections import Counter
from math import log, log1p

import numpy as np
import pytest
import torch

from tests.conftest import make_graph
from tucker import mixture as with_rules_module
from tucker.errors import SettingsError
from tucker.evaluation.ranking import rank
from tucker.graph import Answers
from tucker.mixture import WithRules, check_size
from tucker.models import MODELS
from tucker.reasoning import trails as trails_module
from tucker.reasoning.rules import Rules
from tucker.reasoning.trails import Trails

N_E, N_R = 9, 3
SAME = torch.tensor([0, 1, 2, 3, 1, 5])  # relation 1 is symmetric


def facts():
    return torch.from_numpy(make_graph(N_E, N_R, facts=30).train)


def edges(triples=None):
    """Return the steps of each entity, as a newcomer would write them down."""
    found = set()
    for s, r, o in (facts() if triples is None else triples).tolist():
        if s != o:
            found |= {(s, int(SAME[r]), o), (o, int(SAME[r + N_R]), s)}
    return found


def all_paths(found, s, without=None):
    """Return (steps, target) of every path of one to three steps that visits no entity twice."""
    longer = [((), (s,))]
    result = []
    for _ in range(3):
        longer = [
            ((*steps, step), (*visited, target))
            for steps, visited in longer
            for source, step, target in found
            if source == visited[-1] and target not in visited
            if (source, step, target) != without
        ]
        result += [(steps, visited[-1]) for steps, visited in longer]
    return Counter(result)


def code(steps, base=2 * N_R + 1):
    return sum((step + 1) * base**i for i, step in enumerate(reversed(steps)))


def walked(trails, s, hidden=None):
    paths = trails.paths(torch.tensor([s]), hidden)
    return Counter(zip(paths.pattern.tolist(), paths.target.tolist(), strict=True))


@pytest.mark.parametrize("s", range(N_E))
def test_paths_are_all_that_visit_no_entity_twice(s):
    trails = Trails.along(facts(), SAME, N_E)
    expected = {(code(steps), x): n for (steps, x), n in all_paths(edges(), s).items()}
    assert walked(trails, s) == expected


def test_paths_from_several_sources_are_those_of_each():
    trails = Trails.along(facts(), SAME, N_E)
    sources = torch.tensor([4, 0, 4])
    paths = trails.paths(sources)
    for row, s in enumerate(sources.tolist()):
        here = paths.take(paths.row == row)
        assert Counter(zip(here.pattern.tolist(), here.target.tolist(), strict=True)) == walked(
            trails, s
        )


def test_a_hidden_edge_is_not_walked():
    found = edges()
    s, step, o = min(found)
    trails = Trails.along(facts(), SAME, N_E)
    paths = walked(trails, s, (torch.tensor([step]), torch.tensor([o])))
    expected = all_paths(found, s, without=(s, step, o))
    assert paths == {(code(steps), x): n for (steps, x), n in expected.items()}


def test_the_busiest_entities_give_way(monkeypatch):
    """0 leads to 1, which has three edges, and to 2, which has seven."""
    triples = torch.tensor(
        [[0, 0, 1], [0, 0, 2], [1, 0, 3], [1, 0, 4], *([2, 0, x] for x in range(3, 9))]
    )
    trails = Trails.along(triples, SAME, N_E)
    assert {x for (_, x) in walked(trails, 0)} == set(range(1, 9))
    monkeypatch.setattr(trails_module, "_MOST_EDGES", 4)
    paths = walked(trails, 0)
    assert {x for (pattern, x) in paths if pattern < 49} == {1, 2, 3, 4}
    assert not {x for (pattern, x) in paths if pattern >= 49} & {5, 6, 7, 8}


def test_counts_and_known_edges():
    trails, found = Trails.along(facts(), SAME, N_E), edges()
    for entity in range(N_E):
        for step in SAME.unique().tolist():
            own = {x for s, a, x in found if (s, a) == (entity, step)}
            assert trails.count(torch.tensor([entity]), torch.tensor([step])) == len(own)
            others = torch.arange(N_E)
            has = trails.has(torch.full_like(others, entity), torch.full_like(others, step), others)
            assert set(others[has].tolist()) == own


def some_rules():
    """Return rules with weights, of every second pattern that the facts have."""
    rules = Rules(n_e=N_E, n_r=2 * N_R)
    rules.same = SAME
    rules.take_facts(facts())
    patterns = sorted(
        {code(steps) for s in range(N_E) for steps, _ in all_paths(edges(), s)}, key=hash
    )[::2]
    codes = [r * (2 * N_R + 1) ** 3 + p for r in SAME.unique().tolist() for p in patterns]
    rules.take(torch.tensor(sorted(codes)))
    for weights in rules.parameters():
        torch.nn.init.uniform_(weights, -1, 1)
    return rules.requires_grad_(False)


def rho(rules, s, r, o):
    """Return ρ(s, r, o) from its formula, path by path."""
    found, relation = edges(), int(SAME[r])
    number = {c: i for i, c in enumerate(rules.codes.tolist())}
    terms = [
        rules.u[number[c]] + rules.v[number[c]] * log(n)
        for (steps, x), n in all_paths(found, s).items()
        if x == o and (c := relation * (2 * N_R + 1) ** 3 + code(steps)) in number
    ]
    if not terms:
        return 0.0
    d = sum(source == o for source, _, _ in found)
    back = int(SAME[(relation + N_R) % (2 * N_R)])
    a = sum((source, step) == (o, back) for source, step, _ in found)
    about = torch.tensor([1.0, log1p(d), log1p(a), float(a > 0)])
    return float(sum(terms) + rules.w[relation] @ about)


def table(rules):
    return np.array(
        [[[rho(rules, s, r, o) for o in range(N_E)] for r in range(2 * N_R)] for s in range(N_E)]
    )


def dense(rules):
    s, r = torch.cartesian_prod(torch.arange(N_E), torch.arange(2 * N_R)).T
    row, entity, value = rules(s, r)
    found = torch.zeros(len(s), N_E)
    found[row, entity] = value
    return found.view(N_E, 2 * N_R, N_E)


def test_rules_say_what_their_formula_says():
    rules = some_rules()
    expected = table(rules)
    assert (expected != 0).mean() > 0.5
    np.testing.assert_allclose(dense(rules).numpy(), expected, atol=1e-5)


def test_rules_are_as_many_as_those_loaded():
    rules = some_rules()
    other = Rules(n_e=N_E, n_r=2 * N_R)
    other.take_facts(facts())
    assert not dense(other).any()
    other.load_state_dict(rules.state_dict())
    assert torch.equal(dense(other), dense(rules))


@pytest.fixture(params=["tucker", "complex", "transe"])
def model(request):
    sizes = {"tucker": {"d_e": 6, "d_r": 4}, "complex": {"d_e": 6}, "transe": {"d_e": 6}}
    return MODELS[request.param](n_e=N_E, n_r=2 * N_R, **sizes[request.param]).eval()


@pytest.fixture
def questions():
    return torch.cartesian_prod(torch.arange(N_E), torch.arange(2 * N_R)).T


def test_scores_are_the_models_and_the_rules(model, questions):
    rules = some_rules()
    both = WithRules(model, rules, weight=0.3)
    s, r = questions
    expected = model.score_objects(s, r) + 0.3 * dense(rules).view(-1, N_E)
    torch.testing.assert_close(both.score_objects(s, r), expected)
    o = torch.arange(len(s)) % N_E
    torch.testing.assert_close(both.score(s, r, o), expected.gather(1, o[:, None])[:, 0])


def test_an_object_may_be_met_twice_and_in_any_order(model, questions):
    both = WithRules(model, some_rules(), weight=2.0)
    some = torch.tensor([3, 0, 3, 8])
    q, objects = both.queries(*questions), both.objects(both.entities())
    torch.testing.assert_close(both.meet(q, objects[some]), both.meet(q, objects)[some])


def test_what_is_not_kept_is_followed_again(model, questions, monkeypatch):
    rules = some_rules()
    expected = WithRules(model, rules).score_objects(*questions)
    monkeypatch.setattr(with_rules_module, "_MOST_KEPT", 3)
    monkeypatch.setattr(with_rules_module, "_QUESTIONS", 3)
    monkeypatch.setattr(with_rules_module, "_WALKED", 2)
    both = WithRules(model, rules)
    order = torch.randperm(len(expected))
    for some in torch.split(torch.cat([order, order.flip(0)]), 5):
        s, r = questions[:, some]
        torch.testing.assert_close(both.score_objects(s, r), expected[some])


def test_other_facts_are_followed_once_they_are_told(model, questions):
    both = WithRules(model, some_rules())
    before = both.score_objects(*questions)
    both.take_facts(facts()[:-8])
    after = both.score_objects(*questions)
    assert not torch.equal(before, after)
    both.take_facts(facts())
    torch.testing.assert_close(both.score_objects(*questions), before)


def test_ranks_are_those_of_the_scores(model):
    graph = make_graph(N_E, N_R, facts=30)
    both = WithRules(model, some_rules())
    none = Answers.of(graph.train[:0], N_E, N_R)
    ranks = rank(both, graph.train, none, N_R).ranks("pessimistic")
    s, r, o = torch.from_numpy(graph.train).T
    with torch.no_grad():
        for row, (a, b, c) in enumerate([(s, r, o), (o, r + N_R, s)]):
            scores = both.score_objects(a, b)
            expected = (scores >= scores.gather(1, c[:, None]) - 1e-6).sum(1)
            assert ranks[row].tolist() == expected.tolist()


def test_too_large_a_graph_is_refused():
    with pytest.raises(SettingsError, match="rules: 16,777,217 entities and 4 relations are too"):
        check_size((1 << 24) + 1, 8)
    with pytest.raises(SettingsError, match="at most 16,777,216 and 8,192 may be: leave rules out"):
        check_size(100, 20_000)
    check_size(1 << 24, 1 << 14)


def test_codes_of_the_largest_graph_fit():
    n_e, n_r = 1 << 24, 1 << 14
    assert (n_e * n_r + n_r) * n_e < 2**63
    assert (n_r + 1) ** 4 < 2**63


def test_the_parameters_of_both_are_counted(model):
    rules = some_rules()
    learned = 2 * len(rules.codes) + 4 * 2 * N_R
    assert WithRules(model, rules).count_parameters() == model.count_parameters() + learned
