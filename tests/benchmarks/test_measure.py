"""Every measurement runs, on graphs that take no time."""

from __future__ import annotations

import pytest

from benchmarks import growth
from benchmarks.common import paper_recipe
from benchmarks.curve import curve
from benchmarks.engine import DATASETS, ratios
from benchmarks.graphs import random_graph
from benchmarks.limit import shares_of_limit
from benchmarks.sides import measure_ours, measure_plain


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


def test_the_curve_has_a_line_for_each_validation(graph, recipe):
    results = curve(graph, recipe, seconds=1e9, validate_every=2)
    next(results)
    result = next(results)
    assert [entry["epoch"] for entry in result["journal"]] == [2, 4]
    assert result["journal"][-1] == {
        "epoch": 4,
        "seconds": result["seconds"],
        "valid_mrr": result["valid"]["mrr"],
    }


def test_the_curve_ends_with_its_time(graph, recipe):
    (result,) = curve(graph, recipe, seconds=1e-9, validate_every=5)
    assert [entry["epoch"] for entry in result["journal"]] == [1]


def test_a_random_graph_has_its_counts():
    graph = random_graph(20, 3, (50, 5, 7))
    assert (graph.n_e, graph.n_r) == (20, 3)
    assert [len(part) for part in (graph.train, graph.valid, graph.test)] == [50, 5, 7]


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_paper_has_settings_for_the_dataset(dataset):
    assert paper_recipe(dataset).training.batch_size == 128
