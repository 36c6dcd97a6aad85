from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.conftest import make_graph, write_people
from tests.pipeline.conftest import tiny
from tucker.errors import GraphError, RunError, SettingsError, TrainingError
from tucker.evaluation import evaluate
from tucker.graph import SPLITS, Answers, load_graph
from tucker.graph.graph import NEWEST_SPLIT
from tucker.pipeline import train
from tucker.pipeline.machine import peak_memory_mb
from tucker.runs import RunFolder, load_run


def same(one, other):
    """Say whether two models have the same weights, bit by bit."""
    a, b = one.state_dict(), other.state_dict()
    assert a.keys() == b.keys()
    return all(a[name].equal(b[name]) for name in a)


def timeless(journal):
    return [{key: entry[key] for key in entry if key != "seconds"} for entry in journal]


def test_a_training_in_memory(graph):
    trained = train(graph, tiny())
    run = trained.run
    assert run.path is None
    assert run.graph is graph
    assert run.config == tiny(split_version=NEWEST_SPLIT).model_dump(mode="json")
    assert [entry["epoch"] for entry in run.journal] == [1, 2, 3, 4]
    assert not run.model.training
    assert run.metrics == {"valid": evaluate(run.model, graph, "valid").as_dict()}
    report = trained.as_dict()
    assert report["run"] is None
    assert report["epochs"] == 4
    assert report["valid"] == run.metrics["valid"]
    assert 50 < report["peak_memory_mb"] < peak_memory_mb() + 1


def test_training_learns(graph):
    graph = replace(graph, valid=graph.valid[:0])  # so that the last weights are kept
    kept = {"d_e": 14, "dropout_subject": 0, "dropout_relation": 0, "dropout_query": 0}
    untrained = train(graph, tiny(model=kept, training={"epochs": 1, "learning_rate": 1e-9}))
    trained = train(graph, tiny(model=kept, training={"epochs": 60}))
    before = evaluate(untrained.run.model, graph, "train").mrr
    after = evaluate(trained.run.model, graph, "train").mrr
    assert after > before + 0.2
    losses = [entry["loss"] for entry in trained.run.journal]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("loss", ["bernoulli", "softmax"])
def test_the_same_seed_gives_the_same_weights_and_another_does_not(graph, loss):
    one = train(graph, tiny(training={"loss": loss}))
    torch.rand(17)  # what was drawn before does not matter
    same_seed = train(graph, tiny(training={"loss": loss}))
    other_seed = train(graph, tiny(training={"loss": loss}, seed=1))
    assert same(one.run.model, same_seed.run.model)
    assert timeless(one.run.journal) == timeless(same_seed.run.journal)
    assert not same(one.run.model, other_seed.run.model)


def test_a_folder_changes_nothing_in_the_weights(graph, tmp_path):
    in_memory = train(graph, tiny())
    on_disk = train(graph, tiny(), folder=RunFolder(tmp_path / "run"))
    assert same(in_memory.run.model, on_disk.run.model)
    assert on_disk.run.path == tmp_path / "run"
    assert on_disk.as_dict()["run"] == str(tmp_path / "run")


@pytest.mark.parametrize("loss", ["bernoulli", "softmax"])
def test_a_loaded_run_gives_bit_equal_scores(graph, tmp_path, loss):
    run = train(graph, tiny(training={"loss": loss}), folder=RunFolder(tmp_path / "run")).run
    loaded = load_run(tmp_path / "run")
    assert loaded.config == run.config
    assert loaded.metrics == run.metrics
    assert loaded.journal == run.journal
    assert not loaded.model.training
    for split in ("train", "valid", "test"):
        assert np.array_equal(loaded.graph.split(split), graph.split(split))
    assert loaded.graph.entities.names.to_list() == graph.entities.names.to_list()
    ids = torch.cartesian_prod(torch.arange(graph.n_e), torch.arange(2 * graph.n_r))
    with torch.no_grad():
        assert loaded.model.score_objects(*ids.T).equal(run.model.score_objects(*ids.T))


def test_the_test_split_changes_nothing(graph):
    """Neither weights nor journal nor validation know what is in the test split."""
    # Further answers to the very questions of valid: as a filter they would change its ranks.
    answers = [(s, r, o) for s, r, _ in graph.valid.tolist() for o in range(graph.n_e)]
    known = set(map(tuple, graph.known.tolist()))
    telling = np.array([fact for fact in answers if fact not in known])
    other = replace(graph, test=telling)
    one, two = train(graph, tiny()), train(other, tiny())
    assert same(one.run.model, two.run.model)
    assert timeless(one.run.journal) == timeless(two.run.journal)
    assert one.run.metrics == two.run.metrics
    assert one.training.best_epoch == two.training.best_epoch
    none = train(replace(graph, test=graph.test[:0]), tiny())
    assert same(one.run.model, none.run.model)
    peeking = Answers.of(other.known, graph.n_e, graph.n_r)
    peeked = evaluate(one.run.model, other, "valid", known=peeking)
    assert peeked.mrr > one.run.metrics["valid"]["mrr"]  # so that a leak would be seen here


def test_the_best_weights_on_valid_are_kept(graph):
    trained = train(graph, tiny(training={"epochs": 12, "learning_rate": 0.05}))
    mrr = [entry["valid_mrr"] for entry in trained.run.journal]
    assert trained.run.metrics["valid"]["mrr"] == max(mrr)
    assert trained.training.best_epoch == 1 + mrr.index(max(mrr))
    assert len(set(mrr)) > 1


def test_without_a_valid_split_there_are_no_figures(graph, tmp_path):
    bare = replace(graph, valid=graph.valid[:0])
    trained = train(bare, tiny(), folder=RunFolder(tmp_path / "run"))
    assert trained.run.metrics == {}
    assert "valid" not in trained.as_dict()
    assert not any("valid_mrr" in entry for entry in trained.run.journal)
    assert load_run(tmp_path / "run").metrics == {}


def test_nothing_to_learn_from_is_refused(graph, tmp_path):
    with pytest.raises(GraphError, match="has no facts to train on"):
        train(replace(graph, train=graph.train[:0]), tiny(), folder=RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_refused_settings_leave_no_folder(graph, tmp_path):
    with pytest.raises(SettingsError, match="ensemble"):
        train(graph, tiny(ensemble=2), folder=RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_training_that_diverges_says_what_to_try(graph):
    with pytest.raises(TrainingError, match=r"try a smaller training.learning_rate \(now 1e\+30\)"):
        train(graph, tiny(training={"learning_rate": 1e30, "epochs": 30}))


class StopAt:
    """Presses Ctrl-C after some batches."""

    def __init__(self, batches, how=signal.SIGINT):
        self.left = batches
        self.how = how

    def __call__(self, progress):
        self.left -= 1
        if not self.left:
            signal.raise_signal(self.how)


@pytest.mark.parametrize("batches", [1, 5, 6, 11])
@pytest.mark.parametrize(
    "settings",
    [
        {"loss": "bernoulli", "decay": 0.9},
        {"loss": "softmax", "schedule": "linear", "average": 0.9},
    ],
)
def test_a_stopped_training_goes_on_exactly(graph, tmp_path, settings, batches):
    recipe = tiny(training=settings)
    whole = train(graph, recipe)
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        train(graph, recipe, folder=folder, report=StopAt(batches))
    assert folder.checkpoint.exists()
    assert not folder.finished
    torch.rand(5)  # another process has another state
    resumed = train(folder.graph(), recipe, folder=folder, resume=True)
    assert same(resumed.run.model, whole.run.model)
    assert timeless(resumed.run.journal) == timeless(whole.run.journal)
    assert resumed.run.metrics == whole.run.metrics
    assert not folder.checkpoint.exists()


def test_a_training_is_stopped_and_resumed_again_and_again(graph, tmp_path):
    recipe = tiny(training={"average": 0.9})
    whole = train(graph, recipe)
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        train(graph, recipe, folder=folder, report=StopAt(3))
    for how in (signal.SIGTERM, signal.SIGINT):
        with pytest.raises(KeyboardInterrupt):
            train(folder.graph(), recipe, folder=folder, resume=True, report=StopAt(4, how))
    resumed = train(folder.graph(), recipe, folder=folder, resume=True)
    assert same(resumed.run.model, whole.run.model)
    assert timeless(resumed.run.journal) == timeless(whole.run.journal)


class StoppedWhileWriting(RunFolder):
    """A folder that gets Ctrl-C with the second line of its journal."""

    def write_journal(self, journal):
        super().write_journal(journal)
        if len(journal) == 2:
            signal.raise_signal(signal.SIGINT)


def test_a_training_stopped_at_the_end_of_an_epoch_counts_it_once(graph, tmp_path):
    whole = train(graph, tiny())
    with pytest.raises(KeyboardInterrupt):
        train(graph, tiny(), folder=StoppedWhileWriting(tmp_path / "run"))
    folder = RunFolder(tmp_path / "run")
    resumed = train(folder.graph(), tiny(), folder=folder, resume=True)
    assert [entry["epoch"] for entry in resumed.run.journal] == [1, 2, 3, 4]
    assert same(resumed.run.model, whole.run.model)
    assert timeless(resumed.run.journal) == timeless(whole.run.journal)


def test_training_leaves_the_signals_as_they_were(graph):
    before = [signal.getsignal(how) for how in (signal.SIGINT, signal.SIGTERM)]
    train(graph, tiny())
    with pytest.raises(KeyboardInterrupt):
        train(graph, tiny(), report=StopAt(1))
    with pytest.raises(TrainingError):
        train(graph, tiny(training={"learning_rate": 1e30, "epochs": 30}))
    assert [signal.getsignal(how) for how in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_training_beside_the_main_thread(graph):
    """Only the main thread can listen to signals; another trains all the same.

    To rounding: products of another thread's team may add up in another order.
    """
    with ThreadPoolExecutor(1) as pool:
        elsewhere = pool.submit(train, graph, tiny()).result().run.model.state_dict()
    torch.testing.assert_close(dict(elsewhere), dict(train(graph, tiny()).run.model.state_dict()))


def test_only_an_unfinished_run_of_the_same_settings_is_resumed(graph, tmp_path):
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(RunError, match="holds no run to resume"):
        train(graph, tiny(), folder=folder, resume=True)
    assert not folder.path.exists()
    with pytest.raises(KeyboardInterrupt):
        train(graph, tiny(), folder=folder, report=StopAt(3))
    with pytest.raises(RunError, match="was begun with other settings"):
        train(graph, tiny(seed=1), folder=folder, resume=True)
    with pytest.raises(RunError, match="exists already"):
        train(graph, tiny(), folder=folder)
    train(graph, tiny(), folder=folder, resume=True)
    with pytest.raises(RunError, match="has finished already"):
        train(graph, tiny(), folder=folder, resume=True)


def test_progress_is_reported_after_every_batch(graph):
    reports = []
    train(graph, tiny(), report=reports.append)
    assert len(reports) % 4 == 0
    assert [report.epoch for report in reports] == sorted(report.epoch for report in reports)
    done = [report.done for report in reports]
    assert done == sorted(done)
    assert done[-1] == 1
    assert all(report.epochs == 4 and report.pairs_per_second > 0 for report in reports)
    assert reports[-1].seconds_left == pytest.approx(0, abs=1e-6)
    assert reports[0].best_mrr is None
    assert reports[-1].best_mrr is not None


def test_a_run_of_another_size_of_graph_is_another_model():
    small, large = make_graph(n_e=10), make_graph(n_e=20)
    assert train(small, tiny()).run.model.E.shape == (10, 8)
    run = train(large, tiny()).run
    assert run.model.E.shape == (20, 8)
    assert run.model.R.shape == (2 * large.n_r, 4)


def still(**changes):
    """A recipe whose training changes next to nothing."""
    dropouts = {"dropout_subject": 0, "dropout_relation": 0, "dropout_query": 0}
    training = {"epochs": 1, "learning_rate": 1e-9}
    return tiny(model=dropouts | {"batch_norm": False}, training=training, **changes)


def test_training_begins_with_the_weights_of_a_run(graph, tmp_path):
    first = train(graph, still(), folder=RunFolder(tmp_path / "first")).run
    other = train(graph, still(seed=1)).run
    after = train(graph, still(seed=1, start=str(tmp_path / "first"))).run
    assert not torch.allclose(other.model.E, first.model.E)
    torch.testing.assert_close(after.model.state_dict(), first.model.state_dict())


def test_weights_of_another_graph_or_size_are_refused(graph, tmp_path):
    start = str(train(graph, still(), folder=RunFolder(tmp_path / "first")).run.path)
    with pytest.raises(SettingsError, match="was trained on another graph than drawn"):
        train(make_graph(n_e=13, facts=160), still(start=start))
    with pytest.raises(SettingsError, match="another model or other sizes"):
        train(graph, tiny(model={"d_e": 6}, start=start))
    with pytest.raises(RunError, match="there is no such run folder"):
        train(graph, still(start="nowhere"))


def test_resumed_before_any_checkpoint_it_begins_with_them_again(graph, tmp_path):
    first = train(graph, still(), folder=RunFolder(tmp_path / "first")).run
    recipe = still(seed=1, start=str(first.path))
    folder = RunFolder(tmp_path / "second")
    folder.begin(recipe.model_dump(mode="json"), graph)
    after = train(graph, recipe, folder=folder, resume=True).run
    torch.testing.assert_close(after.model.state_dict(), first.model.state_dict())


def test_a_run_begun_before_a_setting_was_there_is_resumed(graph, tmp_path):
    config = tiny().model_dump(mode="json")
    del config["start"]
    folder = RunFolder(tmp_path / "run")
    folder.begin(config, graph)
    assert same(
        train(graph, tiny(), folder=folder, resume=True).run.model, train(graph, tiny()).run.model
    )


def test_a_run_with_the_split_of_before_goes_on_with_it(tmp_path):
    """Its folder has the split, and its config, which is older than the versions, says nothing."""
    path = write_people(tmp_path, [], {})
    before, now = load_graph(path, split_version=1), load_graph(path)
    assert not np.array_equal(before.test, now.test)
    whole = train(before, tiny(), folder=RunFolder(tmp_path / "whole"))
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        train(before, tiny(), folder=folder, report=StopAt(5))
    config = folder.path / "config.yaml"
    assert "split_version: 1\n" in config.read_text()
    config.write_text(config.read_text().replace("split_version: 1\n", ""))
    resumed = train(now, tiny(), folder=folder, resume=True)
    assert resumed.run.config == whole.run.config
    assert resumed.run.metrics == whole.run.metrics
    for name in ("model.safetensors", "known.parquet"):
        assert (folder.path / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    loaded = load_run(folder.path).graph
    assert loaded.split_version == 1
    assert all(np.array_equal(loaded.split(split), before.split(split)) for split in SPLITS)


def test_a_run_is_not_resumed_with_other_facts(graph, tmp_path):
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        train(graph, tiny(), folder=folder, report=StopAt(3))
    for other in (replace(graph, train=graph.train[:-1]), make_graph(n_e=15, facts=160)):
        with pytest.raises(RunError, match="was begun with another graph; resume it with that one"):
            train(other, tiny(), folder=folder, resume=True)
    turned = replace(graph, train=graph.train[::-1], valid=graph.test, test=graph.valid)
    resumed = train(turned, tiny(), folder=folder, resume=True)
    assert same(resumed.run.model, train(graph, tiny()).run.model)
