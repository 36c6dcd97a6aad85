from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from tests.conftest import make_graph
from tests.prediction.conftest import make_run
from tucker.prediction import confirmed as module


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
    curve = module.confirmed(run)
    # Of three, one is a validation fact, one a test fact that is taken off, and one is false.
    assert curve.chance(np.array([0.6, 0.9])) == pytest.approx([0.5, 0.5], abs=0.07)
    assert curve.chance(np.array([0.0, 0.3])) == pytest.approx([0, 0.025], abs=0.02)


def codes(graph, facts):
    return np.ravel_multi_index(tuple(facts.T), (graph.n_e, graph.n_r, graph.n_e))


def test_too_few_facts_say_nothing(run):
    assert module.confirmed(run) is None
