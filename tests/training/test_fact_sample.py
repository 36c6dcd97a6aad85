"""Facts drawn from a batch, with the embeddings and matrices that the batch has made ready."""

from __future__ import annotations

import pytest
import torch

from tests.conftest import make_graph
from tests.training.test_regularisers import BATCH, R, S, draw
from tucker.graph import Answers
from tucker.models import TuckER
from tucker.training import Trainer, TrainingSettings
from tucker.training.fact_sample import FactSample
from tucker.training.regularisers import REGULARISERS


@pytest.fixture(params=[1, 3])
def model(request: pytest.FixtureRequest) -> TuckER:
    return TuckER(n_e=5, n_r=4, d_e=6, d_r=3, blocks=request.param).double().train()


def test_facts_of_a_batch_are_known_facts() -> None:
    graph = make_graph()
    model = TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=4, d_r=4)
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    trainer = Trainer(model, answers, TrainingSettings(batch_size=16), seed=0)
    batch = next(trainer.batches.epoch(1))
    known = {
        (*model.E[s].tolist(), *model.E[o].tolist())
        for s, o in zip(batch.s[batch.targets.rows], batch.targets.objects, strict=True)
    }
    facts = FactSample.some_of(model, batch, model.relations(batch.r, group_size=4), 6)
    assert len(facts.e_s) == len(facts.r) == 6
    drawn = torch.cat([facts.e_s, facts.e_o], 1).tolist()
    assert {tuple(row) for row in drawn} <= known


@pytest.mark.parametrize("most", [1, 64])
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_facts_meet_their_relation_whether_groups_are_left_out_or_cut(
    model: TuckER, count: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tucker.training.fact_sample._GROUP_SIZE", most)
    for seed in range(10):
        torch.manual_seed(seed)
        facts = draw(model, count)
        w_r, of_row = model.R[facts.r], facts.groups.of_row
        torch.testing.assert_close(facts.w_r[of_row], w_r)
        torch.testing.assert_close(facts.operators[of_row], model.operators(w_r))


def test_facts_of_all_groups_meet_the_matrices_of_the_batch(model: TuckER) -> None:
    """A penalty's gradient by them then adds to that of the loss: no copies."""
    relations = model.relations(R, group_size=2)
    assert FactSample.some_of(model, BATCH, relations, 5).operators is relations.operators
    assert FactSample.some_of(model, BATCH, relations, 1).operators is not relations.operators


def test_dura_and_the_loss_have_the_gradients_of_matrices_of_their_own(model: TuckER) -> None:
    relations = model.relations(R, group_size=2)
    gradients = []
    for of_facts in (relations, model.relations(R, group_size=1)):
        facts = FactSample.some_of(model, BATCH, of_facts, len(S))
        q = model.without_object(model.E[S], relations.operators, relations.groups)
        total = REGULARISERS["dura"](facts) + q.sum()
        gradients.append(
            torch.autograd.grad(total, [model.E, model.R, model.core], retain_graph=True)
        )
    for shared, own in zip(*gradients, strict=True):
        torch.testing.assert_close(shared.to_dense(), own.to_dense())
