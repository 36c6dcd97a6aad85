from __future__ import annotations

import json
import signal
from importlib import import_module

import numpy as np
import pytest

from tucker.errors import ResultError, RunError, SettingsError
from tucker.evaluation import evaluate, rank
from tucker.graph.graph import NEWEST_SPLIT
from tucker.pipeline import read_recipe, train
from tucker.pipeline.machine import machine
from tucker.pipeline.recipe import make_recipe
from tucker.reproduction import reproduce
from tucker.reproduction.family import family_table
from tucker.reproduction.published import TABLES
from tucker.reproduction.reproduce import (
    chosen_results,
    measure,
    plan,
    quick_recipes,
    table_recipes,
)
from tucker.reproduction.results import load_result
from tucker.runs import RunFolder, load_run

TABLE = TABLES["table3"]
pytestmark = pytest.mark.usefixtures("shipped")


@pytest.fixture
def attempts(tmp_path):
    """Return a function that plans seeds of fast/wn18rr in the folder of the test."""

    def attempts(*seeds):
        recipes = table_recipes(TABLE, ["fast/wn18rr"])
        places = {"results": tmp_path / "results", "runs": tmp_path / "runs"}
        return plan(recipes, seeds or [0], **places)

    return attempts


def change(shipped, **settings):
    """Change the recipe fast/wn18rr from outside."""
    path = shipped / "fast" / "wn18rr.yaml"
    path.write_text(json.dumps(read_recipe(path) | settings))


def timeless(result):
    found = result.as_dict()
    for entry in [found, *found["journal"]]:
        del entry["seconds"]
    del found["peak_memory_mb"]
    return found


def test_the_recipes_of_a_table():
    assert list(table_recipes(TABLE)) == ["fast/fb15k-237", "fast/wn18rr", "paper/wn18rr"]
    assert list(table_recipes(TABLES["table4"])) == ["fast/wn18"]
    assert list(table_recipes(TABLE, ["paper/wn18rr"])) == ["paper/wn18rr"]
    quick = quick_recipes(TABLE, table_recipes(TABLE))
    assert list(quick) == ["fast/fb15k-237", "fast/wn18rr"]
    with pytest.raises(SettingsError, match="no fast recipe for Table 3; name one with --recipe"):
        quick_recipes(TABLE, table_recipes(TABLE, ["paper/wn18rr"]))


def test_the_whole_family_is_quick(tmp_path):
    table = family_table(tmp_path / "none.json")
    recipes = table_recipes(table)
    assert list(recipes) == ["family/kinship/tucker", "family/umls/tucker"]
    assert quick_recipes(table, recipes) == recipes


def test_a_recipe_of_one_s_own_goes_by_the_name_of_its_file(shipped, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text((shipped / "fast" / "wn18rr.yaml").read_text())
    assert list(table_recipes(TABLE, [str(path)])) == ["mine"]


def test_a_recipe_of_another_dataset_is_refused_where_it_is_asked_for():
    with pytest.raises(SettingsError) as caught:
        table_recipes(TABLE, ["fast/wn18"])
    message = "fast/wn18 is a recipe for WN18, but Table 3 is of WN18RR and FB15k-237"
    assert str(caught.value) == message


def test_where_things_go(attempts, tmp_path):
    one, two = attempts(0, 7)
    assert one.run == tmp_path / "runs" / "fast-wn18rr-seed0"
    assert two.result == tmp_path / "results" / "fast-wn18rr-seed7.json"
    assert (one.recipe.seed, two.recipe.seed) == (0, 7)


def test_a_recipe_is_trained_and_tested(attempts):
    (attempt,) = attempts(7)
    reports = []
    result = measure(attempt, report=reports.append)
    assert load_result(attempt.result) == result
    assert (result.dataset, result.recipe, result.seed) == ("WN18RR", "fast/wn18rr", 7)
    assert result.config == attempt.config | {"split_version": NEWEST_SPLIT}
    assert result.machine == machine()
    assert result.peak_memory_mb > 10
    run = load_run(attempt.run)
    assert run.config == result.config
    assert evaluate(run.model, run.graph, "test").as_dict() == result.test.model_dump()
    assert reports[-1].epoch == 4
    assert attempts(7) == []


def test_the_test_split_is_looked_at_once(attempts, monkeypatch):
    evaluation = import_module("tucker.evaluation.evaluate")
    ranked = []

    def noted(model, triples, *others):
        ranked.append(triples)
        return rank(model, triples, *others)

    monkeypatch.setattr(evaluation, "rank", noted)  # whoever evaluates: training, measure
    (attempt,) = attempts()
    measure(attempt)
    graph = load_run(attempt.run).graph
    looks = [np.array_equal(triples, graph.test) for triples in ranked]
    assert looks == [False] * (len(ranked) - 1) + [True]
    assert len(ranked) > 1


def test_only_what_is_missing_is_planned(attempts):
    one, _ = attempts(0, 1)
    measure(one)
    assert [attempt.recipe.seed for attempt in attempts(0, 1, 2)] == [1, 2]


def test_an_unfinished_run_is_gone_on_with(attempts, tmp_path):
    (attempt,) = attempts()
    whole = timeless(measure(attempt))
    attempt.result.unlink()
    attempt.run.rename(tmp_path / "aside")
    batches = iter(range(6))

    def stop(progress):
        if next(batches) == 5:
            signal.raise_signal(signal.SIGINT)

    (again,) = attempts()
    with pytest.raises(KeyboardInterrupt):
        measure(again, report=stop)
    assert RunFolder(again.run).checkpoint.exists()
    assert not again.result.exists()
    (again,) = attempts()
    assert timeless(measure(again)) == whole


def test_a_finished_run_without_a_result_is_tested_and_nothing_is_invented(attempts, tmp_path):
    (attempt,) = attempts()
    graph = reproduce.load_graph("WN18RR")
    trained = train(graph, attempt.recipe, folder=RunFolder(attempt.run))
    result = measure(attempt)
    assert result.journal == trained.run.journal
    assert result.best_epoch == trained.training.best_epoch
    assert (result.commit, result.machine, result.peak_memory_mb) == (None, None, None)


def test_remarks_may_change(attempts, shipped):
    one, two = attempts(0, 1)
    measure(one)
    train(reproduce.load_graph("WN18RR"), two.recipe, folder=RunFolder(two.run))
    change(shipped, about={"doubts": ["a new one"]})
    (attempt,) = attempts(0, 1)
    assert measure(attempt).seed == 1


def test_a_result_of_other_settings_is_refused_before_anything_is_trained(attempts, shipped):
    (attempt,) = attempts(1)
    measure(attempt)
    change(shipped, training={"epochs": 3})
    with pytest.raises(
        ResultError, match=r"seed1\.json was measured with other settings than fast"
    ):
        attempts(0, 1)


def test_a_run_of_other_settings_is_refused_before_anything_is_trained(attempts, shipped):
    (attempt,) = attempts(1)
    RunFolder(attempt.run).begin(attempt.config, reproduce.load_graph("WN18RR"))
    change(shipped, training={"epochs": 3})
    with pytest.raises(RunError, match=r"fast-wn18rr-seed1 was begun with other settings than"):
        attempts(0, 1)


def test_results_are_chosen_by_recipe_and_seed(attempts, tmp_path):
    for attempt in attempts(0, 1):
        measure(attempt)
    folder = tmp_path / "results"
    assert [result.seed for result in chosen_results(folder)] == [0, 1]
    assert [result.seed for result in chosen_results(folder, seeds=[1])] == [1]
    assert chosen_results(folder, recipes=["paper/wn18rr"]) == []
    assert len(chosen_results(folder, recipes=["fast/wn18rr"], seeds=[0, 1])) == 2


def test_an_attempt_s_config_is_a_recipe(attempts):
    (attempt,) = attempts(3)
    assert make_recipe(attempt.config) == attempt.recipe
