from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pipeline.conftest import tiny
from tucker.errors import ResultError
from tucker.evaluation import evaluate
from tucker.pipeline import read_recipe, train
from tucker.pipeline.recipe import same_settings
from tucker.pipeline.shipped import find_recipe, recipe_names
from tucker.reproduction.results import load_result, load_results, make_result, write_result

RESULTS = Path(__file__).parents[2] / "results"
REPORTED = sorted(
    [
        *RESULTS.glob("table*/*.json"),
        *RESULTS.glob("figure4/*.json"),
        *RESULTS.glob("family/*.json"),
    ]
)
KEYS = {
    "dataset",
    "model",
    "recipe",
    "config",
    "seed",
    "commit",
    "machine",
    "seconds",
    "epochs",
    "best_epoch",
    "peak_memory_mb",
    "parameters",
    "valid",
    "test",
    "journal",
}


@pytest.fixture
def trained(graph):
    return train(graph, tiny(seed=3, training={"epochs": 12, "learning_rate": 0.05}))


@pytest.fixture
def result(trained):
    test = evaluate(trained.run.model, trained.run.graph, "test")
    return make_result(trained.run, test, recipe="fast/drawn", commit="abc", machine={"cores": 2})


def test_a_result_says_what_was_trained_and_how(result, trained, graph):
    found = result.as_dict()
    assert found.keys() == KEYS
    assert (found["dataset"], found["model"], found["recipe"]) == ("drawn", "tucker", "fast/drawn")
    assert found["config"] == trained.run.config
    assert (found["seed"], found["commit"], found["machine"]) == (3, "abc", {"cores": 2})
    assert found["seconds"] == trained.training.seconds
    assert found["epochs"] == trained.training.epochs == 12
    assert found["best_epoch"] == trained.training.best_epoch
    assert found["peak_memory_mb"] is None
    assert found["parameters"] == sum(p.numel() for p in trained.run.model.parameters())
    assert found["valid"] == trained.run.metrics["valid"]
    assert found["test"] == evaluate(trained.run.model, graph, "test").as_dict()
    assert found["journal"] == trained.training.journal


def test_a_result_of_the_last_weights_says_so(graph):
    settings = {"epochs": 6, "learning_rate": 0.5, "keep": "last"}
    trained = train(graph, tiny(seed=3, training=settings))
    figures = [entry["valid_mrr"] for entry in trained.training.journal]
    assert figures[-1] < max(figures)
    test = evaluate(trained.run.model, graph, "test")
    made = make_result(trained.run, test, recipe="fast/drawn")
    assert made.best_epoch == trained.training.best_epoch == 6
    assert made.valid.mrr == pytest.approx(figures[-1])


def test_a_result_is_read_back_as_it_was_written(result, tmp_path):
    path = tmp_path / "new" / "one.json"
    write_result(path, result)
    assert json.loads(path.read_text()) == result.as_dict()
    assert load_result(path) == result
    assert [file.name for file in path.parent.iterdir()] == ["one.json"]


def test_a_folder_of_results_comes_in_the_order_of_names(result, tmp_path):
    for name, seed in {"b.json": 1, "a.json": 2, "c.txt": 3}.items():
        write_result(tmp_path / name, result.model_copy(update={"seed": seed}))
    assert [result.seed for result in load_results(tmp_path)] == [2, 1]
    assert load_results(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"test": {"mrr": 0.5}}, "test.hits_at_1: Field required"),
        ({"test": 3}, "test: Input should be"),
        ({"seconds": "long"}, "seconds: Input should be a valid number"),
        ({"epochs": 0}, "epochs: Input should be greater than or equal to 1"),
        ({"mrr": 0.9}, "mrr: Extra inputs are not permitted"),
    ],
)
def test_a_file_that_is_no_result_is_refused_by_name(result, tmp_path, change, message):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(result.as_dict() | change))
    with pytest.raises(ResultError) as caught:
        load_results(tmp_path)
    assert str(caught.value).startswith(f"{path}: is not a result ({message}")
    assert str(caught.value).endswith("; restore it, or remove it and measure again")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff"])
def test_a_file_that_is_not_even_json_is_refused(tmp_path, content):
    (tmp_path / "bad.json").write_bytes(content)
    with pytest.raises(ResultError, match=r"bad\.json: is not a result \("):
        load_results(tmp_path)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(ResultError, match=r"folder\.json: cannot be read \("):
        load_results(tmp_path)


@pytest.mark.parametrize("path", REPORTED, ids=lambda path: path.stem)
def test_every_result_reported_here_is_of_a_recipe_as_it_stands(path):
    result = load_result(path)
    assert path.stem == f"{result.recipe.replace('/', '-')}-seed{result.seed}"
    assert result.commit
    assert result.recipe in recipe_names()
    settings = read_recipe(find_recipe(result.recipe)) | {"seed": result.seed}
    assert same_settings(result.config, settings)
