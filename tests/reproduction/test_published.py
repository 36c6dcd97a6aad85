from __future__ import annotations

import pytest

from tucker.graph.datasets.catalogue import DATASETS
from tucker.reproduction.published import FIGURES, TABLES

ROWS = [
    (dataset, row)
    for table in TABLES.values()
    for dataset, rows in table.rows.items()
    for row in rows
]


def test_the_tables_have_the_datasets_of_the_paper():
    assert {name: table.datasets for name, table in TABLES.items()} == {
        "table3": ("WN18RR", "FB15k-237"),
        "table4": ("WN18", "FB15k"),
    }
    assert {dataset for dataset, _ in ROWS} <= DATASETS.keys()


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_both_halves_of_a_table_have_the_same_models(table):
    one, other = ([(row.model, row.linear) for row in rows] for rows in table.rows.values())
    assert one == other
    assert one[-1] == ("TuckER", True)
    assert len({model for model, _ in one}) == len(one) == (10 if table.name == "table3" else 11)


@pytest.mark.parametrize(("dataset", "row"), ROWS, ids=lambda x: x if isinstance(x, str) else None)
def test_figures_are_in_their_columns(dataset, row):
    hits = [row.hits_at_1, row.hits_at_3, row.hits_at_10]
    known = [figure for figure in hits if figure is not None]
    assert known == sorted(known)
    assert all(0 < figure < 1 for figure in known)
    if row.mrr is not None and row.hits_at_1 is not None:
        assert row.hits_at_1 < row.mrr
    assert list(row.as_dict()) == ["model", "linear", *FIGURES]


def test_figures_of_the_paper():
    """A few of each column, as they are printed."""
    found = {(dataset, row.model): row.as_dict() for dataset, row in ROWS}
    assert found["WN18RR", "M-Walk"] == {
        "model": "M-Walk",
        "linear": False,
        "mrr": 0.437,
        "hits_at_1": 0.414,
        "hits_at_3": 0.445,
        "hits_at_10": None,
    }
    for key, figures in {
        ("WN18RR", "TuckER"): (0.470, 0.443, 0.482, 0.526),
        ("FB15k-237", "TuckER"): (0.358, 0.266, 0.394, 0.544),
        ("FB15k-237", "RotatE"): (0.297, 0.205, 0.328, 0.480),
        ("WN18", "TuckER"): (0.953, 0.949, 0.955, 0.958),
        ("WN18", "HypER"): (0.951, 0.947, 0.955, 0.958),
        ("FB15k", "TuckER"): (0.795, 0.741, 0.833, 0.892),
        ("FB15k", "SimplE"): (0.727, 0.660, 0.773, 0.838),
        ("FB15k", "TransE"): (None, None, None, 0.471),
    }.items():
        assert tuple(found[key][figure] for figure in FIGURES) == figures
