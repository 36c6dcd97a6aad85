"""What rules said is what they say, however much of it is kept."""

from __future__ import annotations

import torch

from tests.reasoning.by_hand import N_E, N_R, dense, some_rules
from tucker.reasoning import kept_answers
from tucker.reasoning.kept_answers import KeptAnswers
from tucker.reasoning.rules import Rules


def said(kept: KeptAnswers, s, r):
    found = torch.zeros(len(s), N_E)
    for rows, (row, entity, value) in kept.ask(s, r):
        found[rows][row, entity] = value
    return found


def questions():
    s, r = torch.cartesian_prod(torch.arange(N_E), torch.arange(2 * N_R)).T
    order = torch.randperm(len(s), generator=torch.Generator().manual_seed(0)).repeat(2)
    return s, r, order


def test_answers_are_those_of_the_rules_in_any_order():
    rules = some_rules()
    expected, kept = dense(rules).view(-1, N_E), KeptAnswers(rules)
    s, r, order = questions()
    for some in torch.split(order, 5):
        assert torch.equal(said(kept, s[some], r[some]), expected[some])


def test_a_question_is_followed_once(monkeypatch):
    rules, followed = some_rules(), []
    forward = Rules.forward
    monkeypatch.setattr(
        Rules, "forward", lambda self, s, r: followed.append(len(s)) or forward(self, s, r)
    )
    kept = KeptAnswers(rules)
    s, r, order = questions()
    for some in torch.split(order, 5):
        said(kept, s[some], r[some])
    assert sum(followed) == len(s)


def test_what_is_not_kept_is_followed_again(monkeypatch):
    rules = some_rules()
    expected = dense(rules).view(-1, N_E)
    monkeypatch.setattr(kept_answers, "_MOST_KEPT", 3)
    monkeypatch.setattr(kept_answers, "_QUESTIONS", 3)
    monkeypatch.setattr(kept_answers, "_WALKED", 2)
    kept = KeptAnswers(rules)
    s, r, order = questions()
    for some in torch.split(order, 5):
        assert torch.equal(said(kept, s[some], r[some]), expected[some])
