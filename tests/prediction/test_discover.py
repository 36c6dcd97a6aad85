from __future__ import annotations

import pytest

from tests.prediction.conftest import REFLEXIVE, calibrated_run, chance, score
from tucker.errors import TuckerError, UnknownNameError
from tucker.graph.schema.types import Kinds
from tucker.prediction import asker, discover, predict


@pytest.fixture(params=["isotonic", "platt"])
def calibrated(request):
    return calibrated_run(request.param)


def brute_force(run, relations, known):
    """Take each pair of entities of the relation's kinds: the most probable new fact first."""
    known = set(map(tuple, known.tolist()))
    graph = run.graph
    found = []
    for r in relations:
        for s in Kinds(graph).entities_of(r).tolist():
            for o in Kinds(graph).entities_of(r + graph.n_r).tolist():
                if (s, r, o) not in known and (s != o or r == REFLEXIVE):
                    both = chance(run, s, r, o), chance(run, o, r + graph.n_r, s)
                    found.append((f"e{s}", f"r{r}", f"e{o}", score(run, s, r, o), min(both)))
    return sorted(found, key=lambda fact: -fact[4])


def names(facts):
    return [(fact.subject, fact.relation, fact.object) for fact in facts]


@pytest.mark.parametrize("relations", [[0], [1], [2], [0, 1, 2]])
@pytest.mark.parametrize("rows", [1, 5, 1000])
def test_all_new_facts_against_brute_force(run, monkeypatch, relations, rows):
    monkeypatch.setattr(asker, "_SCORES", rows * run.graph.n_e)
    wanted = brute_force(run, relations, run.graph.known)
    facts = discover(run, f"r{relations[0]}" if len(relations) == 1 else None, k=1000)
    expected = {fact[:3]: fact[3:] for fact in wanted}
    assert sorted(names(facts)) == sorted(expected)
    for fact, name in zip(facts, names(facts), strict=True):
        assert (fact.score, fact.probability) == pytest.approx(expected[name], abs=1e-5)
    chances = [fact.probability for fact in facts]
    assert chances == pytest.approx([fact[4] for fact in wanted], abs=1e-5)  # in this order
    assert [fact.rank for fact in facts] == list(range(1, len(wanted) + 1))


def test_the_facts_to_leave_out_can_be_told(run):
    wanted = brute_force(run, [0], run.graph.train)
    facts = discover(run, "r0", known=run.graph.train, k=1000)
    assert names(facts) == [fact[:3] for fact in wanted]
    held_out = {(f"e{s}", "r0", f"e{o}") for s, r, o in run.graph.test if r == 0}
    assert held_out & set(names(facts))


@pytest.mark.parametrize("rows", [1, 4, 1000])
@pytest.mark.parametrize("k", [1, 3, 20])
def test_k_takes_the_first_facts(run, monkeypatch, rows, k):
    every = discover(run, k=1000)
    monkeypatch.setattr(asker, "_SCORES", rows * run.graph.n_e)
    assert names(discover(run, k=k)) == names(every[:k])


@pytest.mark.parametrize("rows", [1, 1000])
@pytest.mark.parametrize("k", [1, 7, 40])
def test_what_is_cut_off_early_changes_nothing_of_a_calibrated_run(
    calibrated, monkeypatch, rows, k
):
    every = discover(calibrated, k=1000)
    monkeypatch.setattr(asker, "_SCORES", rows * calibrated.graph.n_e)
    found = discover(calibrated, k=k)
    chances = [fact.probability for fact in found]
    assert chances == pytest.approx([fact.probability for fact in every[:k]], abs=1e-6)
    assert chances == sorted(chances, reverse=True)


def test_an_unfitted_fact_is_no_more_probable_than_its_answers():
    run = calibrated_run(fitted=False)
    facts = discover(run, k=1000)
    for fact in facts:
        answers = predict(run, subject=fact.subject, relation=fact.relation, k=99)
        (answer,) = (one for one in answers if one.object == fact.object)
        assert fact.probability <= answer.probability + 1e-6
    known = {(f"e{s}", f"r{r}", f"e{o}") for s, r, o in run.graph.known}
    assert not known & {*names(facts)}


def test_a_least_probability_of_a_calibrated_run(calibrated):
    every = discover(calibrated, k=1000)
    assert len({fact.probability for fact in every}) < len(every)  # the curve is level somewhere
    for i in range(1, len(every)):
        least = (every[i - 1].probability + every[i].probability) / 2
        if every[i - 1].probability - every[i].probability > 1e-5:  # else it hangs on rounding
            found = discover(calibrated, min_probability=least, k=1000)
            assert names(found) == names(every[:i])
    level = discover(calibrated, min_probability=0.3, k=1000)
    assert min(fact.probability for fact in level) == 0.3
    assert discover(calibrated, min_probability=0.9) == []


def test_one_subject_and_a_least_probability(run):
    every = discover(run, k=1000)
    of_e3 = [fact for fact in every if fact.subject == "e3"]
    assert names(discover(run, subject="e3", k=1000)) == names(of_e3)
    middle = every[len(every) // 2].probability
    found = discover(run, min_probability=middle, k=1000)
    assert names(found) == names([fact for fact in every if fact.probability >= middle])
    assert discover(run, min_probability=1.0) == []


def test_progress_ends_with_all_done(run):
    shares = []
    discover(run, report=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_what_cannot_be_asked_is_refused(run):
    with pytest.raises(UnknownNameError, match="no relation 'r7'"):
        discover(run, "r7")
    with pytest.raises(UnknownNameError, match="no entity 'e77'"):
        discover(run, subject="e77")
    with pytest.raises(TuckerError, match="k must be at least 1"):
        discover(run, k=0)
