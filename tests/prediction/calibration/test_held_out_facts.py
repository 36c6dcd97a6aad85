from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from tests.conftest import make_graph
from tests.prediction.conftest import make_run
from tucker.prediction import discover
from tucker.prediction.calibration import held_out as module
from tucker.prediction.calibration.reliability import fact_reliability


def test_discovered_facts_are_held_out_as_often_as_is_said(monkeypatch):
    """Two thirds of what a made-up search finds is missing, where its chances are above a half."""
    random = np.random.default_rng(0)
    graph = make_graph(n_e=100, n_r=2, facts=6000)
    absent = np.setdiff1d(np.arange(100 * 2 * 100), codes(graph, graph.known))
    found, chances = random.permutation(absent)[:4000], random.random(4000)
    missing = random.random(4000) < np.where(chances > 0.5, 2 / 3, 0.05)
    held_out = random.permutation(found[missing])
    valid, test = (
        np.stack(np.unravel_index(part, (100, 2, 100)), axis=1)
        for part in np.array_split(held_out, 2)
    )
    run = make_run(graph=dataclasses.replace(graph, valid=valid, test=test))

    def search(self, relations, only, best):
        facts = np.stack(np.unravel_index(found, (100, 2, 100)), axis=1)
        said = torch.from_numpy(chances)
        best.offer(torch.from_numpy(facts), said, said, said)
        yield 1.0

    monkeypatch.setattr(module.Search, "__call__", search)
    curve = module.fact_curve(run)
    # Of three, one is a validation fact, one a test fact that is taken off, and one is false.
    assert curve.chance(np.array([0.6, 0.9])) == pytest.approx([0.5, 0.5], abs=0.07)
    assert curve.chance(np.array([0.0, 0.3])) == pytest.approx([0, 0.025], abs=0.02)


def codes(graph, facts):
    return np.ravel_multi_index(tuple(facts.T), (graph.n_e, graph.n_r, graph.n_e))


def test_too_few_facts_say_nothing(run):
    assert module.fact_curve(run) is None


def test_what_is_found_is_compared_with_its_split(run):
    graph = run.graph
    found = module.held_out_facts(run, "test")
    assert found.held_out == len(graph.test)
    assert len(found.true) <= module.FACTS * len(graph.test)
    facts = discover(run, known=np.concatenate([graph.train, graph.valid]), k=len(found.true))
    test = {(f"e{s}", f"r{r}", f"e{o}") for s, r, o in graph.test}
    assert found.true.tolist() == [(f.subject, f.relation, f.object) in test for f in facts]
    assert found.chances == pytest.approx([fact.probability for fact in facts], abs=1e-6)
    chances, true = found.chances, found.true
    brier = fact_reliability(run).brier
    assert brier == pytest.approx(((chances - true) ** 2).mean(), abs=1e-6)


def test_some_subjects_stand_for_too_many(run, monkeypatch):
    monkeypatch.setattr(module, "_QUESTIONS", 10)
    assert 0 < module.held_out_facts(run, "test").held_out < len(run.graph.test)
