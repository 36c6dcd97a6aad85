from __future__ import annotations

import numpy as np
import pytest
import torch

from tucker.evaluation.ranking import rank
from tucker.graph import Answers
from tucker.mixture import RuleMixture
from tucker.models import MODELS
from tucker.reasoning.walks import paths_from
from tucker.training import RulesSettings, learn_rules
from tucker.training.reasoning import rules as rules_module

N_E, N_R = 120, 3
NEXT, SECOND, SAYS = range(N_R)  # the one after, the one after that, and a relation without sense


def ring(seed=0):
    """Return facts round a ring: half of those of `SECOND`, the other half being held out."""
    random = np.random.default_rng(seed)
    here = random.permutation(N_E)
    step = {k: np.stack([here, np.full(N_E, r), np.roll(here, -k)], 1) for k, r in ((1, 0), (2, 1))}
    held = random.permutation(N_E) < N_E // 2
    noise = np.stack([random.integers(N_E, size=60), np.full(60, SAYS), here[:60]], axis=1)
    return np.concatenate([step[1], step[2][~held], noise]), step[2][held]


def inverses():
    """Return facts of two relations that are each other's inverse, and 20 known one way alone."""
    random = np.random.default_rng(0)
    pairs = np.unique(random.integers(N_E, size=(400, 2)), axis=0)
    s, o = random.permutation(pairs).T
    there = np.stack([s, np.zeros_like(s), o], axis=1)
    back = np.stack([o, np.ones_like(s), s], axis=1)
    return np.concatenate([there, back[20:]]), back[:20]


def silent(n_e=N_E, n_r=N_R):
    """Return a model that says nothing: all scores are 0."""
    model = MODELS["distmult"](n_e=n_e, n_r=2 * n_r, d_e=2).eval()
    for weights in model.parameters():
        torch.nn.init.zeros_(weights)
    return model


def ranks(rules, train, asked):
    rules.take_facts(torch.from_numpy(train))
    known = Answers.of(train, N_E, N_R)
    return rank(RuleMixture(silent(), rules), asked, known, N_R).ranks()


def test_a_composition_is_learned():
    """`NEXT` twice is `SECOND`: held-out facts are found from both sides, first of all."""
    train, held = ring()
    rules = learn_rules(train, N_E, N_R, RulesSettings(), seed=0)
    assert (ranks(rules, train, held) == 1).mean() > 0.95


def test_a_fact_is_no_reason_for_itself():
    """No path of one step leads from a fact's subject to its object by its own relation."""
    train, _ = ring()
    rules = learn_rules(train, N_E, N_R, RulesSettings(), seed=0)
    asked, steps = rules.decoded()
    itself = (steps[:, :2] == -1).all(1) & (steps[:, 2] == asked)
    assert len(asked) > 10
    assert not itself.any()


def test_a_fact_that_another_relation_tells_is_seen_now_and_then():
    train = inverses()[0]
    rules = learn_rules(train, N_E, N_R, RulesSettings(facts=512), seed=0)
    for facts in rules_module._draw(rules, 512, torch.Generator().manual_seed(0)):
        paths = facts.paths(rules.edges)
        own = facts.step[paths.row] + 1  # the pattern of that one step
        seen = (paths.pattern == own) & (paths.target == facts.o[paths.row])
        assert np.array_equal(np.unique(paths.row[seen]), np.flatnonzero(facts.hidden < 0))
        assert 0 < (facts.hidden < 0).sum() < len(facts.s) / 2


def test_what_another_relation_tells_is_learned():
    """A relation that is the inverse of another: an answer known the other way round is first."""
    train, held = inverses()
    rules = learn_rules(train, N_E, N_R, RulesSettings(), seed=0)
    assert rules.same[:2].tolist() == [0, 1]
    assert rules.same[[4, 3]].tolist() == [0, 1]
    assert (ranks(rules, train, held) == 1).mean() > 0.9


def test_a_hidden_fact_does_not_count_where_it_is_about():
    """Else an answer would be known by having one fact more than it will have when asked for."""
    train, _ = ring()
    rules = learn_rules(train, N_E, N_R, RulesSettings(facts=64), seed=0)
    facts = rules_module._draw(rules, 64, torch.Generator().manual_seed(0))[0]
    found = rules.reached(facts.step, facts.paths(rules.edges))
    lesson = rules_module._lesson(facts, found)
    assert lesson.true.any()
    assert torch.equal(found.degree - lesson.found.degree, lesson.true.int())
    assert torch.equal(found.answers - lesson.found.answers, lesson.true.int())


def test_the_loss_is_a_softmax_over_all_entities():
    train, _ = ring()
    rules = learn_rules(train, N_E, N_R, RulesSettings(facts=64), seed=0)
    facts = rules_module._draw(rules, 64, torch.Generator().manual_seed(1))[0]
    lesson = rules_module._lesson(facts, rules.reached(facts.step, facts.paths(rules.edges)))
    rho = torch.zeros(len(facts.s), N_E)
    rho[lesson.found.row, lesson.found.entity] = rules.weigh(lesson.found)
    expected = torch.nn.functional.cross_entropy(rho, torch.from_numpy(facts.o))
    torch.testing.assert_close(lesson.loss(rules).float(), expected)


def test_many_rules_at_once_do_not_overflow():
    """Entities with many neighbours in common, by every pair of 12 relations."""
    s, r, o = np.meshgrid(np.arange(40), np.arange(12), np.arange(40, 52), indexing="ij")
    train = np.stack([s.ravel(), r.ravel(), o.ravel()], axis=1)
    train = train[np.random.default_rng(0).random(len(train)) < 0.5]
    settings = RulesSettings(facts=64)
    rules = learn_rules(train, 52, 12, settings, seed=0)
    zero = np.zeros(1, dtype=np.int64)
    found = rules.reached(zero, paths_from(rules.edges, zero))
    assert torch.bincount(found.of).max() > 100
    assert all(torch.isfinite(weights).all() for weights in rules.parameters())
    lesson = rules_module._Lesson(found, found.entity == 40)
    with torch.no_grad():
        rules.u.fill_(100.0)  # more than exp(ρ) can be, even with double the bits
        assert torch.isfinite(lesson.loss(rules))


def test_the_seed_decides():
    train, _ = ring()
    one, other = (learn_rules(train, N_E, N_R, RulesSettings(), seed=1) for _ in range(2))
    for name, value in one.state_dict().items():
        assert torch.equal(value, other.state_dict()[name])


def test_no_more_rules_than_asked_for():
    train, held = ring()
    rules = learn_rules(train, N_E, N_R, RulesSettings(most=6), seed=0)
    assert len(rules.codes) == 6
    assert (ranks(rules, train, held) == 1).mean() > 0.9


@pytest.mark.parametrize("limit", ["_MOST_PATHS", "_MOST_ENTRIES"])
def test_no_more_is_followed_than_there_is_memory_for(monkeypatch, limit):
    train, _ = ring()
    monkeypatch.setattr(rules_module, limit, 1)
    seen = []
    rules = learn_rules(train, N_E, N_R, RulesSettings(), seed=0, report=seen.append)
    assert len(rules.codes)
    assert seen[-1].done == 1
    steps = -(-len(rules.edges.target) // 64)  # of facts, were there no limit
    assert len(seen) == {"_MOST_PATHS": 1 + 1 + 400, "_MOST_ENTRIES": steps + 2 + 400}[limit]


@pytest.mark.parametrize("train", [[[0, 0, 0]], [[0, 0, 1]], [[0, 0, 1], [1, 0, 2]]])
def test_few_facts_teach_little_and_fail_nothing(train):
    rules = learn_rules(np.array(train), N_E, N_R, RulesSettings(), seed=0)
    s = torch.arange(3)
    for values in (*rules(s, torch.zeros_like(s)), *rules.parameters()):
        assert torch.isfinite(values).all()


def test_progress_is_told():
    train, _ = ring()
    seen = []
    learn_rules(train, N_E, N_R, RulesSettings(), seed=0, report=seen.append)
    assert [one.done for one in seen] == sorted(one.done for one in seen)
    assert seen[-1].done == 1
    assert {one.stage for one in seen} == {"rules"}
    assert seen[0].loss == pytest.approx(np.log(N_E))
    assert seen[-1].loss < seen[0].loss
    assert seen[-1].epoch == seen[-1].epochs
