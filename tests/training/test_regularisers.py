"""Penalties and relation prediction against the formulas of their papers, fact by fact."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor, einsum

from tests.conftest import make_graph
from tucker.errors import SettingsError
from tucker.graph import Answers
from tucker.models import DistMult, Groups, Model, Relations, TuckER
from tucker.training import Trainer, TrainingSettings
from tucker.training.batches import Batch
from tucker.training.fact_sample import FactSample
from tucker.training.losses import Targets
from tucker.training.regularisers import REGULARISERS, Auxiliary, relation_prediction

S, R, OBJECTS = (
    torch.tensor([0, 1, 1, 4, 2]),
    torch.tensor([0, 2, 0, 2, 1]),
    torch.tensor([3, 3, 0, 1, 2]),
)
BATCH = Batch(S, R, Targets(torch.arange(len(S)), OBJECTS, torch.ones(len(S)), torch.ones(len(S))))


@pytest.fixture(params=[1, 3])
def model(request: pytest.FixtureRequest) -> TuckER:
    torch.manual_seed(0)
    model = TuckER(n_e=5, n_r=4, d_e=6, d_r=3, blocks=request.param).double()
    return model.train()  # penalties see no dropout and no normalisation even so


@pytest.fixture
def facts(model: TuckER) -> FactSample:
    return draw(model, len(S))


def draw(model: TuckER, count: int) -> FactSample:
    return FactSample.some_of(model, BATCH, model.relations(R, group_size=2), count)


def square(*parts: Tensor) -> Tensor:
    return sum((part.square().sum() for part in parts), torch.zeros(()))


def by_hand(name: str, model: TuckER) -> Tensor:
    total, (_, W) = torch.zeros(()), model.relations_and_core()
    for s, r, o in zip(S, R, OBJECTS, strict=True):
        e_s, w_r, e_o = model.E[s], model.R[r], model.E[o]
        from_subject = einsum("irj,i,r->j", W, e_s, w_r)
        from_object = einsum("irj,r,j->i", W, w_r, e_o)
        if name == "f2":
            total = total + square(e_s, w_r, e_o)
        elif name == "n3":
            for equation, x in (("irj,i->", e_s), ("irj,r->", w_r), ("irj,j->", e_o)):
                total = total + einsum(equation, W.abs(), x.abs().pow(3))
        else:
            total = total + square(from_subject, e_o) + square(from_object, e_s)
    return total / len(S)


@pytest.mark.parametrize("name", sorted(REGULARISERS))
def test_a_penalty_is_the_mean_over_facts_of_its_formula(
    name: str, model: TuckER, facts: FactSample
) -> None:
    torch.testing.assert_close(REGULARISERS[name](facts), by_hand(name, model), check_dtype=False)


def test_n3_does_not_care_whether_embeddings_or_the_core_are_large(facts: FactSample) -> None:
    before = REGULARISERS["n3"](facts)
    with torch.no_grad():
        facts.model.core.div_(8)
    larger = replace(facts, e_s=2 * facts.e_s, w_r=2 * facts.w_r, e_o=2 * facts.e_o)
    torch.testing.assert_close(REGULARISERS["n3"](larger), before)


def test_n3_of_a_diagonal_core_is_that_of_distmult() -> None:
    model = DistMult(n_e=5, n_r=4, d_e=3)
    embeddings = model.E[S], model.R[R], model.E[OBJECTS]
    for ours, theirs in zip(
        model.as_tucker().cubes(*embeddings), model.cubes(*embeddings), strict=True
    ):
        torch.testing.assert_close(ours, theirs)


def test_relations_are_predicted_among_all_of_them(model: TuckER, facts: FactSample) -> None:
    _, W = model.relations_and_core()
    scores = einsum("irj,bi,kr,bj->bk", W, model.E[S], model.R, model.E[OBJECTS])
    expected = -scores.log_softmax(1)[torch.arange(len(R)), R].mean()
    torch.testing.assert_close(relation_prediction(facts), expected)


@pytest.mark.parametrize(
    "helper", [{"regulariser": "dura", "regulariser_weight": 0.1}, {"relation_weight": 1.0}]
)
def test_a_model_that_is_not_linear_cannot_carry_helpers(helper: dict[str, object]) -> None:
    class Other(Model):
        def __init__(self) -> None:
            super().__init__(n_e=2, n_r=2)
            self.E = self.R = torch.nn.Parameter(torch.ones(2, 2))

        def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
            return e_s.tanh()

    graph = make_graph()
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    with pytest.raises(SettingsError, match="Other is not linear"):
        Trainer(Other(), answers, TrainingSettings(**helper), seed=0)


def test_a_falling_penalty_counts_by_what_is_left_to_do() -> None:
    graph = make_graph()
    model = TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=4, d_r=4)
    settings = TrainingSettings(
        regulariser="dura", regulariser_weight=0.1, regulariser_fall=2, epochs=2, batch_size=16
    )
    trainer = Trainer(model, Answers.of(graph.train, graph.n_e, graph.n_r), settings, seed=0)
    batch = next(trainer.batches.epoch(1))
    relations = model.relations(batch.r, settings.group_size)
    auxiliary = Auxiliary(model, settings)
    first, half, last = (auxiliary(batch, relations, done).item() for done in (0, 0.5, 1))
    assert (half, last) == (pytest.approx(first / 4), 0)
    assert first > 0


def test_a_penalty_falls_from_the_first_step_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    weighed = Auxiliary.__call__

    def look(self: Auxiliary, batch: Batch, relations: Relations, done: float) -> Tensor:
        seen.append(done)
        return weighed(self, batch, relations, done)

    monkeypatch.setattr(Auxiliary, "__call__", look)
    graph = make_graph()
    model = TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=4, d_r=4)
    settings = TrainingSettings(
        regulariser="f2", regulariser_weight=0.1, regulariser_fall=1, epochs=3, batch_size=16
    )
    trainer = Trainer(model, Answers.of(graph.train, graph.n_e, graph.n_r), settings, seed=0)
    trainer.run()
    steps = 3 * trainer.batches.per_epoch
    assert seen == pytest.approx([step / steps for step in range(steps)])
