"""Every measurement runs, on graphs that take no time."""

from __future__ import annotations

import json
import signal
import sys
import time
from functools import partial
from pathlib import Path

import pytest
import torch

from benchmarks import curve, growth
from benchmarks.engine import DATASETS, ratios
from benchmarks.graphs import random_graph
from benchmarks.limit import shares_of_limit
from benchmarks.measuring import CURVES, in_own_process, paper_recipe
from benchmarks.sides import measure_ours, measure_plain
from tucker.evaluation import evaluate
from tucker.pipeline.machine import machine
from tucker.reproduction.curves import load_yardsticks


def test_both_sides_give_figures_to_compare(graph, recipe):
    ours, plain = (measure(graph, recipe, 3) for measure in (measure_ours, measure_plain))
    assert all(value > 0 for value in [*ours.values(), *plain.values()])
    assert set(plain) < set(ours)
    assert set(ratios(ours, plain)) < {*shares_of_limit(ours, graph.n_e, 7), "memory"}


@pytest.mark.parametrize(("ours", "seen"), [(True, "10000"), (False, None)])
def test_the_setting_of_threads_is_for_ours_alone(ours, seen, monkeypatch):
    monkeypatch.setenv("GOMP_SPINCOUNT", "10000")
    code = "import json, os; print(json.dumps({'seen': os.environ.get('GOMP_SPINCOUNT')}))"
    assert in_own_process(sys.executable, "-c", code, ours=ours) == {"seen": seen}


def test_a_point_of_growth_is_measured(monkeypatch):
    monkeypatch.setattr(growth, "TEST_TRIPLES", 50)
    figures = growth.measure({"n_e": 60, "n_r": 3, "d_e": 8, "triples": 400}, steps=2)
    assert all(value > 0 for value in figures.values())


def test_each_factor_doubles_alone():
    assert [point["d_e"] for point in growth.doubled("d_e", 3)] == [200, 400, 800]
    assert all(point | {"d_e": 100} == growth.BASE for point in growth.doubled("d_e", 3))


@pytest.mark.parametrize("side", CURVES)
def test_a_curve_counts_training_and_validation_apart(graph, recipe, side, tmp_path, monkeypatch):
    def slow(*arguments, **options):
        time.sleep(0.05)
        return evaluate(*arguments, **options)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(curve, "evaluate", slow)
    curve.measure(side, graph, recipe, validate_every=2, limit=1e-9)
    (path,) = tmp_path.glob(f"results/benchmarks/curve-*-{side}.json")
    result = json.loads(path.read_text())
    (line,) = result["journal"]
    coarse = side == "bfloat16"
    assert result["config"]["training"]["products"] == ("bfloat16" if coarse else "float32")
    assert line["epoch"] == 2
    assert 0 < line["training_seconds"] <= line["seconds"] - 0.05
    assert 0 < line["valid_mrr"] <= 1
    (drawn,) = load_yardsticks(path.parent)
    assert drawn.minutes == [line["seconds"] / 60]


@pytest.mark.parametrize(
    "train",
    [curve.train_plain, partial(curve.train_ours, checkpoint=Path("curve"))],
    ids=["plain", "ours"],
)
def test_a_curve_has_a_line_for_each_validation(graph, recipe, train, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add = curve.Journal.add
    kept = []
    journal = curve.Journal(graph, kept.append, limit=1e9)
    monkeypatch.setattr(
        curve.Journal, "add", lambda self, lines: add(self, lines) or len(kept) == 3
    )
    training = recipe.training.model_copy(update={"validate_every": 2, "patience": 0})
    train(graph, recipe.model_copy(update={"training": training}), journal)
    assert [len(lines) for lines in kept] == [1, 2, 3]
    lines = kept[-1]
    assert [line["epoch"] for line in lines] == [2, 4, 6]
    assert lines[0]["seconds"] < lines[1]["seconds"] < lines[2]["seconds"]
    apart = [line["seconds"] - line["training_seconds"] for line in lines]
    assert 0 < apart[0] < apart[1] < apart[2]


@pytest.mark.parametrize("side", ["ours", "bfloat16"])
def test_a_curve_of_ours_goes_on_where_it_stopped(graph, recipe, side, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def measured(limit, **options):
        curve.measure(side, graph, recipe, validate_every=1, limit=limit, **options)
        (path,) = tmp_path.glob("results/benchmarks/curve-*.json")
        return json.loads(path.read_text())["journal"]

    at_once = [line["valid_mrr"] for line in measured(1e9)]
    (first,) = measured(1e-9)  # ends with its first validation
    both = measured(1e-9, resume=True)
    whole = measured(1e9, resume=True)
    assert both[0] == whole[0] == first
    assert both[1] == whole[1]
    assert [line["epoch"] for line in both] == [1, 2]
    assert [line["valid_mrr"] for line in whole] == at_once
    assert first["training_seconds"] < both[1]["training_seconds"] < both[1]["seconds"]
    assert all(line["cpu"] == machine()["cpu"] for line in whole)
    (checkpoint,) = tmp_path.glob("runs/curve-*")
    kept = checkpoint.read_bytes()
    for other in CURVES:
        if other != side:
            curve.measure(other, graph, recipe, validate_every=1, limit=1e-9)
    assert checkpoint.read_bytes() == kept


@pytest.mark.parametrize(("products", "sides"), [(None, 2), (torch.bfloat16, 3)])
def test_every_side_that_the_processor_has_is_measured(
    products, sides, graph, recipe, tmp_path, monkeypatch
):
    asked_to_measure(monkeypatch, tmp_path, graph, recipe, "--minutes", "1e-9")
    monkeypatch.setattr(curve, "products_of", lambda name: products)
    curve.main()
    names = {path.stem.rpartition("-")[2] for path in tmp_path.glob("results/benchmarks/*.json")}
    assert names == set(list(CURVES)[:sides])


def test_ctrl_c_ends_all_sides_and_leaves_what_others_kept(graph, recipe, tmp_path, monkeypatch):
    asked_to_measure(monkeypatch, tmp_path, graph, recipe)
    other = curve.checkpoint_of(graph, "bfloat16")
    other.parent.mkdir()
    other.write_text("kept")
    monkeypatch.setattr(curve, "train_plain", lambda *arguments: None)
    monkeypatch.setattr(curve.Journal, "add", lambda *arguments: signal.raise_signal(signal.SIGINT))
    monkeypatch.setattr(curve, "products_of", lambda name: torch.bfloat16)
    with pytest.raises(SystemExit, match="130"):
        curve.main()
    assert other.read_text() == "kept"
    assert curve.checkpoint_of(graph, "ours").exists()


def asked_to_measure(monkeypatch, folder, graph, recipe, *options):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(curve, "load_graph", lambda name: graph)
    monkeypatch.setattr(curve, "paper_recipe", lambda name: recipe)
    monkeypatch.setattr("sys.argv", ["curve", *options])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--resume", "--side", "plain"], "keeps no checkpoint"),
        (["--resume"], "-ours.safetensors is not there: measure without --resume"),
        (["--side", "bfloat16"], "would train in float32"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    options, words, graph, recipe, tmp_path, monkeypatch, capsys
):
    asked_to_measure(monkeypatch, tmp_path, graph, recipe, *options)
    monkeypatch.setattr(curve, "products_of", lambda name: None)
    with pytest.raises(SystemExit, match="2"):
        curve.main()
    assert words in capsys.readouterr().err


def test_a_random_graph_has_its_counts():
    graph = random_graph(20, 3, (50, 5, 7))
    assert (graph.n_e, graph.n_r) == (20, 3)
    assert [len(part) for part in (graph.train, graph.valid, graph.test)] == [50, 5, 7]


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_paper_has_settings_for_the_dataset(dataset):
    assert paper_recipe(dataset).training.batch_size == 128
