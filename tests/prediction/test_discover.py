from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from tests.prediction.conftest import REFLEXIVE, chance, score
from tucker.errors import UnknownNameError
from tucker.prediction import discover
from tucker.prediction.plausible import plausible_subjects

MODULE = import_module("tucker.prediction.discover")  # the package has a function of this name


def brute_force(run, r, known):
    """Score each pair of a plausible subject and an entity: the most probable new fact first."""
    known = set(map(tuple, known.tolist()))
    found = [
        (f"e{s}", f"e{o}", score(run, s, r, o), chance(run, s, r, o))
        for s in plausible_subjects(run.graph, r).tolist()
        for o in range(run.graph.n_e)
        if (s, r, o) not in known and (s != o or r == REFLEXIVE)
    ]
    return sorted(found, key=lambda fact: -fact[3])


@pytest.mark.parametrize("r", range(3))
@pytest.mark.parametrize("rows", [1, 5, 1000])
def test_all_new_facts_against_brute_force(run, monkeypatch, r, rows):
    monkeypatch.setattr(MODULE, "_BLOCK_NUMBERS", rows * run.graph.n_e)
    wanted = brute_force(run, r, run.graph.known)
    facts = discover(run, f"r{r}", k=1000)
    assert {fact.relation for fact in facts} == {f"r{r}"}
    assert [(fact.subject, fact.object) for fact in facts] == [fact[:2] for fact in wanted]
    assert [fact.score for fact in facts] == pytest.approx([fact[2] for fact in wanted], abs=1e-5)
    chances = [fact.probability for fact in facts]
    assert chances == pytest.approx([fact[3] for fact in wanted], abs=1e-5)
    assert [fact.rank for fact in facts] == list(range(1, len(wanted) + 1))


def test_the_facts_to_leave_out_can_be_told(run):
    wanted = brute_force(run, 0, run.graph.train)
    facts = discover(run, "r0", known=run.graph.train, k=1000)
    assert [(fact.subject, fact.object) for fact in facts] == [fact[:2] for fact in wanted]
    held_out = run.graph.test[run.graph.test[:, 1] == 0]
    assert len(held_out)
    assert {(f"e{s}", f"e{o}") for s, _, o in held_out} <= {fact[:2] for fact in wanted}
    everything = discover(run, "r0", known=np.empty((0, 3), dtype=np.int64), k=1000)
    assert len(everything) == len(plausible_subjects(run.graph, 0)) * (run.graph.n_e - 1)


@pytest.mark.parametrize("rows", [1, 1000])
@pytest.mark.parametrize("k", [1, 3, 20])
def test_k_takes_the_first_facts(run, monkeypatch, rows, k):
    every = discover(run, "r2", k=1000)
    monkeypatch.setattr(MODULE, "_BLOCK_NUMBERS", rows * run.graph.n_e)
    facts = discover(run, "r2", k=k)
    assert [(fact.subject, fact.object) for fact in facts] == [
        (fact.subject, fact.object) for fact in every[:k]
    ]


def test_an_unknown_relation_is_refused(run):
    with pytest.raises(UnknownNameError, match="no relation 'r7'"):
        discover(run, "r7")
