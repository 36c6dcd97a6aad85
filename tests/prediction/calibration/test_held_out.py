from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from tests.prediction.conftest import REFLEXIVE, make_run, scores
from tucker.errors import GraphError
from tucker.graph import Answers
from tucker.prediction.asker import Asker
from tucker.prediction.calibration import held_out as module
from tucker.prediction.calibration.held_out import held_out_answers


def brute_force(run, split):
    """List every candidate of every question: (relation, evidence, true, others true)."""
    graph = run.graph
    before = [] if split == "train" else graph.train.tolist()
    before = set(map(tuple, before + (graph.valid.tolist() if split == "test" else [])))
    facts = {(s, r, o) for s, r, o in graph.split(split).tolist()} - before
    turned = {(o, r + graph.n_r, s) for s, r, o in facts}
    known = before | {(o, r + graph.n_r, s) for s, r, o in before}
    asked = {}
    for s, r in {fact[:2] for fact in facts | turned}:
        open = [
            o
            for o in range(graph.n_e)
            if (s, r, o) not in known and (s != o or r % graph.n_r == REFLEXIVE)
        ]
        odds = np.exp(scores(run.model)[s, r, open].astype(float))
        true = [(s, r, o) in facts | turned for o in open]
        rest = odds.sum() - odds
        asked[s, r] = sorted(zip(np.log(odds / rest), true, strict=True), reverse=True)
    return asked


@pytest.mark.parametrize("split", ["valid", "test"])
@pytest.mark.parametrize("numbers", [1, 1 << 20])
def test_the_best_of_each_question(run, split, numbers, monkeypatch):
    monkeypatch.setattr(module, "_SCORES_AT_ONCE", numbers)
    asked = brute_force(run, split)
    found = held_out_answers(run, split, top=3)
    assert found.questions == len(asked)
    wanted = [(r, *one) for (_, r), best in asked.items() for one in best[:3]]
    assert sorted(found.relation.tolist()) == sorted(one[0] for one in wanted)
    assert sorted(found.evidence) == pytest.approx(sorted(one[1] for one in wanted), abs=1e-4)
    assert found.true.sum() == sum(one[2] for one in wanted)
    assert set(found.place.tolist()) == {0, 1, 2}
    assert found.weight.tolist() == [1] * len(wanted)


def test_a_sample_stands_for_the_rest(run):
    asked = brute_force(run, "valid")
    found = held_out_answers(run, "valid", top=2, sampled=200)
    assert found.weight.sum() == pytest.approx(sum(map(len, asked.values())))
    every = [one for best in asked.values() for one in best]
    assert (found.weight * found.true).sum() == sum(true for _, true in every)
    shared = sum(true for best in asked.values() for _, true in best if sum(t for _, t in best) > 1)
    assert found.shared.sum() == shared
    again = held_out_answers(run, "valid", top=2, sampled=200)
    assert again.evidence.tolist() == found.evidence.tolist()


def test_a_split_without_facts_is_refused():
    run = make_run()
    empty = dataclasses.replace(run.graph, valid=run.graph.valid[:0])
    with pytest.raises(GraphError, match="no valid facts"):
        held_out_answers(dataclasses.replace(run, graph=empty), "valid", top=3)


def test_answers_that_tie_have_the_places_that_predict_gives_them():
    run = make_run("softmax")
    torch.nn.init.zeros_(run.model.E)  # all scores are equal
    found = held_out_answers(run, "test", top=4)
    truth = Answers.of(run.graph.test, run.graph.n_e, run.graph.n_r)
    asker = Asker(run, run.graph.known_before("test"))
    s, r = map(torch.from_numpy, (truth.subjects, truth.relations))
    best = asker.best(s, r, 4)
    is_first = [
        bool(np.isin(truth.take(np.array([i]))[1], one.entities[:1].numpy()).any())
        for i, one in enumerate(best)
    ]
    assert found.true[found.place == 0].tolist() == is_first
