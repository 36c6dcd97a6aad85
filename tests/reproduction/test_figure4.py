"""Figure 4: sizes, parameters and the paper's claim, of results with the shipped recipes."""

from __future__ import annotations

import pytest

from tests.reproduction.test_compare import result
from tucker.reproduction import figure4
from tucker.reproduction.compare import compare
from tucker.reproduction.published import TABLES
from tucker.reproduction.reproduce import quick_recipes, table_recipes

RECIPES = table_recipes(figure4.TABLE)


def measured(figures):
    """Make results: {"complex-20": .3, …}."""
    made = []
    for name, mrr in figures.items():
        config = RECIPES[f"figure4/{name}"].model_dump(mode="json")
        changes = {"config": config, "model": config["model"]["name"]}
        one = result(mrr=mrr, recipe=f"figure4/{name}", dataset="FB15k-237")
        made.append(one.model_copy(update=changes))
    return compare(figure4.TABLE, made, RECIPES)


def test_twelve_recipes_that_no_table_has() -> None:
    models, sizes = ("complex", "simple", "tucker"), (20, 50, 100, 200)
    assert set(RECIPES) == {f"figure4/{model}-{size}" for model in models for size in sizes}
    assert quick_recipes(figure4.TABLE, RECIPES) == RECIPES
    for table in TABLES.values():
        assert not set(RECIPES) & set(table_recipes(table))


def test_a_size_counts_one_half_of_an_embedding() -> None:
    comparison = measured({"complex-20": 0.2, "tucker-200": 0.4, "tucker-20": 0.3, "simple-50": 0})
    found = [(point.model, point.size, point.mrr) for point in figure4.points(comparison)]
    assert found == [
        ("ComplEx", 20, 0.2),
        ("SimplE", 50, 0),
        ("TuckER", 20, 0.3),
        ("TuckER", 200, 0.4),
    ]


def test_the_claim_is_checked_where_both_sides_are_measured() -> None:
    comparison = measured({"tucker-20": 0.3, "simple-200": 0.31, "complex-100": 0.5})
    assert figure4.shortfalls(comparison) == {"SimplE": pytest.approx(0.01)}
    assert figure4.shortfalls(measured({"simple-200": 0.31})) == {}


def test_it_is_drawn(tmp_path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("matplotlib")
    figure4.draw(tmp_path / "four.svg", measured({"complex-20": 0.2, "complex-50": 0.3}))
    text = (tmp_path / "four.svg").read_text()
    assert "ComplEx" in text
    assert "TuckER" not in text
