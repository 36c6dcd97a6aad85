from __future__ import annotations

import pytest
import torch

from tests.pipeline.conftest import SETTINGS, tiny
from tests.pipeline.test_train import StopAt, same, timeless
from tucker.errors import SettingsError, TrainingError
from tucker.evaluation import evaluate
from tucker.pipeline import train
from tucker.pipeline.recipe import make_recipe, merged
from tucker.prediction import predict
from tucker.prediction.fold_in import fold_in
from tucker.prediction.inspect import inspect_relations
from tucker.reproduction.results import make_result
from tucker.runs import RunFolder, load_run

BESIDE = {
    "model": {"name": "complex", "d_e": 6},
    "training": SETTINGS["training"] | {"epochs": 3, "optimiser": "adagrad"},
    "weight": 0.5,
}


def both(**changes):
    return tiny(beside=merged(BESIDE, changes))


def test_two_models_are_trained_on_their_own_and_added_up(graph):
    """Their scores are those of two trainings without each other."""
    once = {"validate_every": 9}  # the last weights are kept: sums decide nothing
    recipe = both(training=once).model_copy(update={"training": tiny(training=once).training})
    found = train(graph, recipe).run.model
    own = train(graph, tiny(training=once)).run.model
    other = make_recipe({"graph": "drawn", "model": BESIDE["model"]})
    other = other.model_copy(update={"training": recipe.beside.training})
    beside = train(graph, other).run.model
    s, r = torch.cartesian_prod(torch.arange(graph.n_e), torch.arange(2 * graph.n_r)).T
    with torch.no_grad():
        expected = own.score_objects(s, r) + 0.5 * beside.score_objects(s, r)
        assert torch.allclose(found.score_objects(s, r), expected, atol=1e-5)


def test_validation_looks_at_the_sum(graph):
    trained = train(graph, both())
    run = trained.run
    assert [entry["epoch"] for entry in run.journal] == [1, 2, 3, 4, 5, 6, 7]
    seconds = [entry["seconds"] for entry in run.journal]
    assert seconds == sorted(seconds)
    assert trained.training.seconds == seconds[-1]
    of_sums = [entry["valid_mrr"] for entry in run.journal[3:]]
    assert run.metrics["valid"]["mrr"] == max(of_sums)
    assert trained.training.best_epoch == 4 + of_sums.index(max(of_sums))
    assert run.metrics == {"valid": evaluate(run.model, graph, "valid").as_dict()}


def test_the_result_is_of_the_sum(graph):
    trained = train(graph, both())
    run = trained.run
    result = make_result(run, evaluate(run.model, graph, "test"), recipe="fast/both")
    assert (result.model, result.epochs) == ("tucker", 7)
    assert result.best_epoch == trained.training.best_epoch
    assert result.parameters == run.model.count_parameters()
    assert result.valid.mrr == run.metrics["valid"]["mrr"]


def test_a_loaded_sum_gives_bit_equal_scores(graph, tmp_path):
    run = train(graph, both(), folder=RunFolder(tmp_path / "run")).run
    assert same(run.model, train(graph, both()).run.model)
    loaded = load_run(tmp_path / "run")
    assert loaded.config == run.config
    assert loaded.journal == run.journal
    s, r = torch.cartesian_prod(torch.arange(graph.n_e), torch.arange(2 * graph.n_r)).T
    with torch.no_grad():
        assert loaded.model.score_objects(s, r).equal(run.model.score_objects(s, r))
    assert not RunFolder(tmp_path / "run").beside.exists()


@pytest.mark.parametrize("batches", [1, 5, 17, 20, 25])
def test_a_stopped_training_goes_on_exactly(graph, tmp_path, batches):
    """Wherever it was stopped: in the first training, between the two, or in the second."""
    whole = train(graph, both())
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        train(graph, both(), folder=folder, report=StopAt(batches))
    torch.rand(5)  # another process has another state
    resumed = train(folder.graph(), both(), folder=folder, resume=True)
    assert same(resumed.run.model, whole.run.model)
    assert timeless(resumed.run.journal) == timeless(whole.run.journal)
    assert load_run(folder.path).journal == resumed.run.journal


def test_what_cannot_be_added_up_is_refused_before_training(graph, tmp_path):
    folder = RunFolder(tmp_path / "run")
    conve = {"model": {"name": "conve"}}
    with pytest.raises(SettingsError, match="ConvE is not linear in its embeddings"):
        train(graph, tiny(beside=conve), folder=folder)
    with pytest.raises(SettingsError, match=r"^beside: model.d_e is 5: ComplEx cuts it into 2"):
        train(graph, both(model={"d_e": 5}), folder=folder)
    with pytest.raises(SettingsError, match=r"^start: a recipe with `beside`"):
        train(graph, both().model_copy(update={"start": "runs/one"}), folder=folder)
    with pytest.raises(SettingsError, match=r"^beside: training.ensemble is 3: it needs"):
        train(graph, both(training={"ensemble": 3}), folder=folder)
    assert not folder.path.exists()


def test_a_companion_that_diverges_is_named(graph, tmp_path):
    folder = RunFolder(tmp_path / "run")
    wild = both(training={"learning_rate": 1e30, "epochs": 30})
    with pytest.raises(TrainingError, match=r"^beside: the loss is no longer finite"):
        train(graph, wild, folder=folder)
    assert not folder.path.exists()


def test_progress_says_which_training_it_is_of(graph):
    seen = []
    train(graph, both(), report=lambda progress: seen.append(progress.stage))
    assert list(dict.fromkeys(seen)) == ["complex, 1 of 2", "tucker, 2 of 2"]


@pytest.mark.parametrize(
    ("beside", "message"),
    [
        ({"training": {}}, "beside: the recipe does not say its model"),
        (
            {"model": {"name": "tukcer"}},
            "beside: there is no model 'tukcer'; did you mean tucker?",
        ),
        (
            {"model": {"name": "complex", "d_r": 3}},
            "beside: model.d_r is a setting of other models, not of this one",
        ),
        (
            {"model": {}, "training": {"epoch": 3}},
            "beside: there is no setting training.epoch; did you mean training.epochs?",
        ),
        ({"model": {}, "weight": 0}, "beside: weight: Input should be greater than 0 (found 0)"),
        ({"model": {}, "weigth": 2}, "beside: there is no setting weigth; did you mean weight?"),
        (
            {"model": {}, "graph": "umls"},
            "beside: there is no setting graph; known are model, training, weight",
        ),
        (
            {"model": {}, "training": {"loss": "softmax"}},
            "beside: both models need the same loss; found bernoulli and softmax",
        ),
    ],
)
def test_a_fault_is_found_in_its_place(beside, message):
    with pytest.raises(SettingsError) as error:
        make_recipe({"graph": "drawn", "model": {}, "beside": beside})
    assert str(error.value).startswith(message)


def test_a_sum_is_asked_as_any_model(graph):
    """Commands that know nothing of sums: fold-in, inspection, prediction."""
    run = train(graph, both()).run
    name, relation = graph.entities.name(0), graph.relations.name(0)
    larger = fold_in(run, [("newcomer", relation, name)])
    assert larger.graph.n_e == graph.n_e + 1
    assert larger.model.E[: graph.n_e].equal(run.model.E)
    assert larger.model.E[graph.n_e].isfinite().all()
    assert {shape.relation for shape in inspect_relations(run)} == set(graph.relations.names)
    found = predict(run, subject=name, relation=relation, k=3)
    assert len(found) == 3
