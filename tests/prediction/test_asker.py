from __future__ import annotations

import pytest
import torch

from tests.prediction.conftest import REFLEXIVE, chance, make_run, score
from tucker.prediction.asker import Answered, Asker


def pairs(run):
    ids = torch.cartesian_prod(torch.arange(run.graph.n_e), torch.arange(2 * run.graph.n_r))
    return ids.T


def known_with_reciprocals(run):
    n_r = run.graph.n_r
    facts = run.graph.known.tolist()
    return {(s, r, o) for s, r, o in facts} | {(o, r + n_r, s) for s, r, o in facts}


def test_candidates_against_one_at_a_time(run):
    s, r = pairs(run)
    known = known_with_reciprocals(run)
    found = Asker(run).candidates(s, r)
    for row, (a, b) in enumerate(zip(s.tolist(), r.tolist(), strict=True)):
        for o in range(run.graph.n_e):
            itself = a == o and b % run.graph.n_r != REFLEXIVE
            assert bool(found[row, o]) == ((a, b, o) not in known and not itself)


def test_a_judged_fact_counts_as_not_known(run):
    s, r, o = torch.from_numpy(run.graph.train[:9]).T
    new = Asker(run).candidates(s, r, o)
    itself = (s == o) & (r != REFLEXIVE)
    assert new[torch.arange(9), o].equal(~itself)


def test_the_facts_that_count_as_known_can_be_told(run):
    s, r, o = torch.from_numpy(run.graph.test).T
    assert Asker(run, run.graph.train).candidates(s, r)[torch.arange(len(s)), o].any()
    assert not Asker(run).candidates(s, r)[torch.arange(len(s)), o].any()


@pytest.mark.parametrize("k", [1, 4, 99])
def test_many_questions_have_the_answers_that_each_has_alone(run, k):
    asker = Asker(run)
    s, r = pairs(run)
    for row, together in enumerate(asker.best(s, r, k)):
        (alone,) = asker.best(s[row : row + 1], r[row : row + 1], k)
        assert together.entities.tolist() == alone.entities.tolist()
        assert together.scores.tolist() == pytest.approx(alone.scores.tolist(), abs=1e-5)
        for o, phi, said in zip(
            together.entities.tolist(), together.scores, together.chances, strict=True
        ):
            fact = int(s[row]), int(r[row]), o
            assert float(phi) == pytest.approx(score(run, *fact), abs=1e-5)
            assert float(said) == pytest.approx(chance(run, *fact), abs=1e-5)


def test_answers_are_joined_and_taken_in_order():
    first, second = (Answered(*(torch.arange(n) + place for place in range(4))) for n in (2, 3))
    joined = Answered.join([first, second])
    assert joined.entities.tolist() == [0, 1, 0, 1, 2]
    assert joined.take(torch.tensor([4, 0])).chances.tolist() == [5, 3]


def test_how_much_is_asked_at_once_hangs_on_the_number_of_entities():
    asker = Asker(make_run())
    assert asker.at_once == (1 << 22) // 12
