"""Every measurement runs, on graphs that take no time."""

from __future__ import annotations

import json

import pytest

from benchmarks import growth
from benchmarks.common import paper_recipe
from benchmarks.curve import FORMS, measure
from benchmarks.engine import DATASETS, ratios
from benchmarks.graphs import random_graph
from benchmarks.limit import shares_of_limit
from benchmarks.sides import measure_ours, measure_plain
from tucker.experiments.curves import load_curves


def test_both_sides_give_figures_to_compare(graph, recipe):
    ours, plain = (measure(graph, recipe, 3) for measure in (measure_ours, measure_plain))
    assert all(value > 0 for value in [*ours.values(), *plain.values()])
    assert set(plain) < set(ours)
    assert set(ratios(ours, plain)) < {*shares_of_limit(ours, graph.n_e, 7), "memory"}


def test_a_point_of_growth_is_measured(monkeypatch):
    monkeypatch.setattr(growth, "TEST_TRIPLES", 50)
    figures = growth.measure({"n_e": 60, "n_r": 3, "d_e": 8, "triples": 400}, steps=2)
    assert all(value > 0 for value in figures.values())


def test_each_factor_doubles_alone():
    assert [point["d_e"] for point in growth.doubled("d_e", 3)] == [200, 400, 800]
    assert all(point | {"d_e": 100} == growth.BASE for point in growth.doubled("d_e", 3))


@pytest.mark.parametrize("form", FORMS)
def test_a_curve_has_a_line_for_each_validation_until_its_time_is_over(
    graph, recipe, form, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    training = recipe.training.model_copy(update={"validate_every": 2})
    recipe = recipe.model_copy(update={"training": training})
    for limit in (1e-9, 0.3):
        measure(form, graph, recipe, limit)
        (path,) = tmp_path.glob("results/benchmarks/curve-*.json")
        journal = json.loads(path.read_text())["journal"]
        assert [line["epoch"] for line in journal] == [2 * n + 2 for n in range(len(journal))]
        assert journal[-1]["seconds"] >= limit > max([0, *(x["seconds"] for x in journal[:-1])])
        assert all(0 < line["valid_mrr"] <= 1 for line in journal)
    (curve,) = load_curves(path.parent)
    assert curve.dataset == graph.name
    assert len(curve.minutes) == len(curve.mrr) == len(journal)


def test_a_random_graph_has_its_counts():
    graph = random_graph(20, 3, (50, 5, 7))
    assert (graph.n_e, graph.n_r) == (20, 3)
    assert [len(part) for part in (graph.train, graph.valid, graph.test)] == [50, 5, 7]


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_paper_has_settings_for_the_dataset(dataset):
    assert paper_recipe(dataset).training.batch_size == 128
