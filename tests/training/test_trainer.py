from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from tests.conftest import make_graph
from tucker.errors import RunError, SettingsError, TrainingError
from tucker.graph import Answers, Graph
from tucker.models import Model, TuckER
from tucker.progress import Progress
from tucker.training import Trainer, TrainingSettings


def model_of(graph: Graph, **dropouts: float) -> TuckER:
    torch.manual_seed(1)
    return TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=6, d_r=4, **dropouts)


def trainer_of(graph: Graph, model: Model, *, seed: int = 0, **options: Any) -> Trainer:
    fields = TrainingSettings.model_fields
    settings = {"batch_size": 16, "epochs": 4} | {k: v for k, v in options.items() if k in fields}
    rest = {k: v for k, v in options.items() if k not in fields}
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    return Trainer(model, answers, TrainingSettings(**settings), seed=seed, **rest)


FALLING = {"regulariser": "dura", "regulariser_weight": 0.1, "regulariser_fall": 1}
NO_DROPOUT = {f"dropout_{place}": 0.0 for place in ("subject", "relation", "query")}


def test_a_step_is_plain_autograd_and_plain_adam(graph: Graph) -> None:
    """The whole step, fused loss and optimiser included, against the few lines of the paper."""
    fused, plain = (model_of(graph, **NO_DROPOUT).double() for _ in range(2))
    torch.set_default_dtype(torch.double)
    try:
        trainer = trainer_of(graph, fused, label_smoothing=0.1, learning_rate=0.01)
        adam = torch.optim.Adam(plain.parameters(), lr=0.01, fused=False, foreach=False)
        fused.train(), plain.train()
        for batch in trainer.batches.epoch(1):
            loss = trainer.step(batch)
            y = torch.zeros(len(batch), graph.n_e)
            y[batch.targets.rows, batch.targets.objects] = 1
            y = 0.9 * y + 1 / graph.n_e
            p = torch.sigmoid(plain.score_objects(batch.s, batch.r))
            expected = F.binary_cross_entropy(p, y)
            adam.zero_grad()
            expected.backward()
            adam.step()
            assert loss == pytest.approx(float(expected.detach()))
    finally:
        torch.set_default_dtype(torch.float)
    for (name, one), other in zip(fused.named_parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(one, other, msg=name, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("loss", ["bernoulli", "softmax"])
def test_training_learns_its_facts(graph: Graph, loss: str) -> None:
    model = model_of(graph, **NO_DROPOUT)
    training = trainer_of(graph, model, loss=loss, epochs=60, learning_rate=0.05).run()
    losses = [entry["loss"] for entry in training.journal]
    assert losses[-1] < 0.5 * losses[0]
    assert training.epochs == len(training.journal) == 60
    assert not model.training


def test_the_learning_rate_decays_by_epoch(graph: Graph) -> None:
    trainer = trainer_of(graph, model_of(graph), learning_rate=0.01, decay=0.5)
    rates = [entry["learning_rate"] for entry in trainer.run().journal]
    assert rates == [0.01, 0.005, 0.0025, 0.00125]


def test_a_linear_schedule_falls_to_zero(graph: Graph) -> None:
    trainer = trainer_of(graph, model_of(graph), learning_rate=0.01, schedule="linear")
    rates = [entry["learning_rate"] for entry in trainer.run().journal]
    assert rates == pytest.approx([0.0075, 0.005, 0.0025, 0.0])  # at the end of each epoch


@pytest.mark.parametrize("epochs", [1, 8])  # fewer and more steps than are taken in at once
def test_the_mean_of_the_weights_is_what_is_validated_and_kept(graph: Graph, epochs: int) -> None:
    """The mean by hand: every step at first, then every eighth."""
    model = model_of(graph)
    mean, steps, validated = model.E.detach().clone(), 0, []

    def validate(model: Model) -> float:
        validated.append(model.E.detach().clone())
        return len(validated)

    trainer = trainer_of(
        graph, model, average=0.95, epochs=epochs, validate_every=4, validate=validate
    )
    step = trainer.step

    def watched(*words: Any, **named: Any) -> float | None:
        nonlocal mean, steps
        loss = step(*words, **named)
        steps += 1
        if steps < 8 or steps % 8 == 0:
            decay = min(0.95, steps / (steps + 10)) ** (1 if steps < 8 else 8)
            mean = decay * mean + (1 - decay) * model.E.detach()
        return loss

    trainer.step = watched  # type: ignore[method-assign]
    before = model.E.detach().clone()
    trainer.run()
    torch.testing.assert_close(validated[-1], mean)
    assert torch.equal(model.E, validated[-1])
    assert not torch.equal(model.E, before)


def test_the_best_weights_are_kept_and_patience_ends_it(graph: Graph) -> None:
    model = model_of(graph)
    seen: list[torch.Tensor] = []
    figures = iter([0.1, 0.4, 0.3, 0.2, 0.9])

    def validate(model: Model) -> float:
        assert not model.training
        seen.append(model.E.detach().clone())
        return next(figures)

    trainer = trainer_of(graph, model, epochs=20, validate_every=2, patience=2, validate=validate)
    training = trainer.run()
    assert (training.best_mrr, training.best_epoch, training.epochs) == (0.4, 4, 8)
    assert torch.equal(model.E, seen[1])


@pytest.mark.parametrize("average", [0.0, 0.9])
def test_the_last_weights_are_kept_if_asked(graph: Graph, average: float) -> None:
    model = model_of(graph)
    seen: list[torch.Tensor] = []
    figures = iter([0.4, 0.1, 0.3, 0.2])

    def validate(model: Model) -> float:
        seen.append(model.E.detach().clone())
        return next(figures)

    options = {"keep": "last", "average": average, "validate_every": 1, "patience": 1}
    training = trainer_of(graph, model, validate=validate, **options).run()
    assert (training.best_mrr, training.best_epoch, training.epochs) == (0.2, 4, 4)
    assert torch.equal(model.E, seen[3])
    assert not torch.equal(model.E, seen[0])


def test_the_last_epoch_is_always_validated(graph: Graph) -> None:
    trainer = trainer_of(
        graph, model_of(graph), epochs=4, validate_every=3, validate=lambda model: 0.5
    )
    journal = trainer.run().journal
    assert [entry["epoch"] for entry in journal if "valid_mrr" in entry] == [3, 4]


def test_seeds_repeat_a_run_exactly(graph: Graph) -> None:
    def weights(seed: int) -> torch.Tensor:
        model = model_of(graph)
        trainer_of(graph, model, seed=seed).run()
        return model.core.detach()

    assert torch.equal(weights(3), weights(3))
    assert not torch.equal(weights(3), weights(4))


class _StopError(Exception):
    pass


def test_training_visits_what_follows_only_if_asked(graph: Graph) -> None:
    inverse = np.stack([graph.train[:, 2], graph.train[:, 1] + graph.n_r, graph.train[:, 0]], 1)
    n_r, train = 2 * graph.n_r, np.concatenate([graph.train, inverse[5:]])
    model = TuckER(n_e=graph.n_e, n_r=2 * n_r, d_e=6, d_r=4)
    answers = Answers.of(train, graph.n_e, n_r)

    def visited(**settings: float) -> int:
        trainer = Trainer(model, answers, TrainingSettings(**settings), seed=0)
        return sum(len(batch.targets.objects) for batch in trainer.batches.epoch(1))

    assert visited() == 2 * len(train)
    assert visited(implied=0.7) == 4 * len(graph.train)


def test_pairs_are_visited_in_parts(graph: Graph) -> None:
    one_a_row = trainer_of(graph, model_of(graph), loss="softmax", most_answers=1)
    assert len(one_a_row.batches) == 2 * len(graph.train)
    assert len(trainer_of(graph, model_of(graph)).batches) < 2 * len(graph.train)


@pytest.mark.parametrize("steps", [1, 5, 13])
@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ({}, 2),
        ({"average": 0.9, "schedule": "linear"}, 2),
        ({"loss": "softmax", "most_answers": 2}, 2),
        ({"keep": "last", "average": 0.9, "implied": 0.5} | FALLING, 5),
    ],
)
def test_a_stopped_run_goes_on_exactly(
    graph: Graph, tmp_path: Path, steps: int, more: dict[str, Any], kept: int
) -> None:
    """Killed in the middle of an epoch, resumed in a new process's place, ends bit-equal."""
    path = tmp_path / "checkpoints" / "last.safetensors"
    options: dict[str, Any] = {"epochs": 5, "validate_every": 2, "checkpoint_minutes": 1e-9} | more
    figures = {2: 0.3, 4: 0.2, 5: 0.1}

    def run(model: Model, **more: Any) -> Trainer:
        def validate(_: Model) -> float:
            return figures[trainer._state.epoch]

        trainer = trainer_of(graph, model, validate=validate, **options, **more)
        return trainer

    whole = model_of(graph)
    expected = run(whole).run()

    left = steps

    def stop(progress: Progress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _StopError

    with pytest.raises(_StopError):
        run(model_of(graph), checkpoint=path, report=stop).run()
    resumed = TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=6, d_r=4)  # other weights
    torch.manual_seed(99)
    trainer = run(resumed, checkpoint=path)
    trainer.resume()
    training = trainer.run()
    for name, value in whole.state_dict().items():
        assert torch.equal(value, resumed.state_dict()[name]), name
    assert training.best_epoch == expected.best_epoch == kept
    strip = [{k: v for k, v in entry.items() if k != "seconds"} for entry in training.journal]
    assert strip == [
        {k: v for k, v in entry.items() if k != "seconds"} for entry in expected.journal
    ]


def test_a_damaged_checkpoint_is_refused(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "last.safetensors"
    path.write_bytes(b"no safetensors")
    with pytest.raises(RunError, match="cannot be read"):
        trainer_of(graph, model_of(graph), checkpoint=path).resume()


@pytest.mark.parametrize("loss", ["bernoulli", "softmax"])
def test_a_loss_that_is_not_finite_stops_with_what_to_try(graph: Graph, loss: str) -> None:
    trainer = trainer_of(graph, model_of(graph), loss=loss, learning_rate=1e30, epochs=50)
    with pytest.raises(TrainingError, match=r"epoch \d+: try a smaller training.learning_rate"):
        trainer.run()


def test_an_infinite_loss_with_finite_gradients_stops_too(graph: Graph) -> None:
    """σ(∞) − y is finite: the gradients alone would not tell."""
    model = model_of(graph, **NO_DROPOUT)
    with torch.no_grad():
        model.E.fill_(1e38)
        model.norm_query.bias.fill_(1e10)
        model.norm_query.weight.zero_()
    with pytest.raises(TrainingError):
        trainer_of(graph, model).run()


def test_a_finished_training_can_be_resumed(graph: Graph, tmp_path: Path) -> None:
    """What comes after training may fail; then nothing is trained again."""
    path = tmp_path / "last.safetensors"
    model = model_of(graph)
    trainer_of(graph, model, checkpoint=path).run()
    resumed = model_of(graph)
    trainer = trainer_of(graph, resumed, checkpoint=path)
    trainer.resume()
    trainer.step = lambda *words, **named: pytest.fail("trained again")  # type: ignore[method-assign]
    assert trainer.run().epochs == 4
    assert torch.equal(resumed.E, model.E)


def test_progress_says_what_a_bar_shows(graph: Graph) -> None:
    reports: list[Progress] = []
    trainer_of(graph, model_of(graph), report=reports.append, validate=lambda m: 0.25,
               validate_every=1).run()  # fmt: skip
    done = [report.done for report in reports]
    assert done == sorted(done)
    assert done[-1] == pytest.approx(1.0)
    assert reports[0].best_mrr is None
    assert reports[-1].best_mrr == 0.25
    assert reports[-1].epoch == reports[-1].epochs == 4
    assert all(report.pairs_per_second > 0 and report.loss > 0 for report in reports)
    assert reports[-1].seconds_left == pytest.approx(0.0)


def test_training_needs_no_dense_labels() -> None:
    """A graph of many entities trains in little memory: nothing of (pairs, n_e) is kept."""
    graph = make_graph(n_e=30_000, n_r=2, facts=400)
    trainer = trainer_of(graph, model_of(graph), epochs=1, batch_size=1024)
    trainer.step(next(trainer.batches.epoch(1)))
    kept = sum(len(buffer) for buffer in trainer._buffers._kept.values())
    assert kept <= 1024 * 1024


def test_helpers_add_their_gradients_to_the_step(graph: Graph) -> None:
    """A step with a penalty differs from one without by just the gradient of the penalty."""
    settings = {"loss": "softmax", "optimiser": "adagrad", "learning_rate": 0.1}
    plain, helped = (model_of(graph, batch_norm=False, **NO_DROPOUT) for _ in range(2))
    one = trainer_of(graph, plain, **settings)
    other = trainer_of(graph, helped, regulariser="f2", regulariser_weight=0.5, **settings)
    batch = next(one.batches.epoch(1))
    gradients = []
    for trainer, model in ((one, plain), (other, helped)):
        model.train()
        trainer.step(batch)
        gradients.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
    fresh = model_of(graph, batch_norm=False, **NO_DROPOUT)
    rows = batch.targets.rows
    assert len(rows) <= 128  # all facts of the batch are looked at
    s, r, o = batch.s[rows], batch.r[rows], batch.targets.objects
    penalty = 0.5 * (
        fresh.E[s].square().sum() + fresh.R[r].square().sum() + fresh.E[o].square().sum()
    )
    expected = torch.autograd.grad(penalty / len(rows), [fresh.E, fresh.R])
    for without, within, difference in zip(*gradients, expected, strict=False):
        torch.testing.assert_close(within - without, difference, rtol=1e-4, atol=1e-6)


def test_sampled_candidates_give_way_to_all_entities() -> None:
    graph = make_graph(n_e=400, facts=40)
    settings = {"loss": "softmax", "epochs": 3, "candidates": 2, "exact_epochs": 1}
    trainer = trainer_of(graph, model_of(graph, **NO_DROPOUT), **settings)
    touched = []

    def record(journal: list[dict[str, Any]]) -> None:
        gradient = trainer._model.E.grad
        assert gradient is not None
        touched.append(int(gradient.any(dim=1).sum()))

    trainer._record = record
    trainer.run()
    assert touched[0] < graph.n_e
    assert touched[2] == graph.n_e


@pytest.mark.parametrize("optimiser", ["adam", "adagrad"])
def test_training_with_all_helpers_resumes_exactly(
    graph: Graph, tmp_path: Path, optimiser: str
) -> None:
    options = {
        "loss": "softmax", "candidates": 3, "exact_epochs": 1, "average": 0.9, "epochs": 4,
        "regulariser": "dura", "regulariser_weight": 0.01, "relation_weight": 0.5,
        "optimiser": optimiser,
    }  # fmt: skip

    def stop_in_epoch_2(journal: list[dict[str, Any]]) -> None:
        if len(journal) == 2:
            trainer._save()
            raise KeyboardInterrupt

    whole = model_of(graph)
    trainer_of(graph, whole, **options).run()
    parts = model_of(graph)
    trainer = trainer_of(graph, parts, checkpoint=tmp_path / "c", record=stop_in_epoch_2, **options)
    with pytest.raises(KeyboardInterrupt):
        trainer.run()
    parts = model_of(graph)
    trainer = trainer_of(graph, parts, checkpoint=tmp_path / "c", **options)
    trainer.resume()
    trainer.run()
    for one, other in zip(whole.parameters(), parts.parameters(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("loss", ["softmax", "bernoulli"])
@pytest.mark.parametrize("blocks", [1, 2])  # of each part
def test_an_ensemble_trains_each_part_as_if_it_were_alone(
    graph: Graph, loss: str, blocks: int
) -> None:
    sizes = {"n_e": graph.n_e, "n_r": 2 * graph.n_r}
    torch.manual_seed(0)
    both = TuckER(**sizes, d_e=8, d_r=4, blocks=2 * blocks, **NO_DROPOUT)
    alone = [TuckER(**sizes, d_e=4, d_r=2, blocks=blocks, **NO_DROPOUT) for _ in range(2)]
    for name, dim in {"E": 1, "R": 1, "core": 0}.items():
        for model, part in zip(alone, getattr(both, name).detach().chunk(2, dim), strict=True):
            getattr(model, name).data.copy_(part)
    trainer_of(graph, both, epochs=1, loss=loss, ensemble=2).run()
    for model in alone:
        trainer_of(graph, model, epochs=1, loss=loss).run()
    s, r = torch.arange(graph.n_e), torch.zeros(graph.n_e, dtype=torch.long)
    total = sum(model.score_objects(s, r) for model in alone)
    torch.testing.assert_close(both.score_objects(s, r), total, rtol=1e-4, atol=1e-5)


def test_an_ensemble_predicts_no_relations_across_blocks(graph: Graph) -> None:
    model = TuckER(n_e=graph.n_e, n_r=2 * graph.n_r, d_e=4, d_r=4, blocks=2)
    with pytest.raises(SettingsError, match="leave out one of them"):
        trainer_of(graph, model, ensemble=2, relation_weight=1.0)


def test_an_ensemble_needs_blocks(graph: Graph) -> None:
    with pytest.raises(SettingsError, match=r"model\.blocks"):
        trainer_of(graph, model_of(graph), ensemble=2)
