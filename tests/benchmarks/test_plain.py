"""The yardstick is the same model: equal scores, ranks and steps."""

from __future__ import annotations

import pytest
import torch

from benchmarks.plain import as_tucker, plain_known, plain_ranks, plain_training
from tucker.evaluation import rank
from tucker.graph import Answers, with_reciprocals
from tucker.training import Trainer


@pytest.fixture
def training(graph, recipe):
    """The plain form after some steps, so that its batch normalisations have seen something."""
    training = plain_training(graph, recipe)
    for batch in training.batches(16, seed=0):
        training.step(batch)
    return training


def test_scores_are_those_of_our_model(graph, training):
    s, r, _ = torch.from_numpy(with_reciprocals(graph.test, graph.n_r)).T
    scores = as_tucker(training.model).score_objects(s, r)
    torch.testing.assert_close(torch.sigmoid(scores), training.model.eval()(s, r))


def test_ranks_are_those_of_our_ranking(graph, training):
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    ranks = rank(as_tucker(training.model), graph.test, known, graph.n_r).ranks()
    queries = with_reciprocals(graph.test, graph.n_r)
    plain = plain_ranks(training.model, queries, plain_known(graph), batch_size=5)
    assert plain == ranks.flatten().tolist()


def test_a_step_is_that_of_our_training(graph, recipe, training):
    ours = as_tucker(training.model)
    for place in ("subject", "relation", "query"):
        setattr(ours, f"dropout_{place}", torch.nn.Identity())
    ours.train()
    training.model.train()
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    trainer = Trainer(ours, answers, recipe.training, seed=0)
    (batch,) = trainer.batches.epoch(1)
    pairs = list(zip(batch.s.tolist(), batch.r.tolist(), strict=True))
    assert trainer.step(batch) == pytest.approx(training.step(pairs), rel=1e-4)
    weights = training.model.entities.weight
    torch.testing.assert_close(ours.E.grad, weights.grad, rtol=1e-3, atol=1e-6)
