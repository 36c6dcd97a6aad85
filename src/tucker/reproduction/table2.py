"""The paper's Table 2: what its data sets hold, counted, and its remark on dropouts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tucker.graph import load_graph
from tucker.pipeline.shipped import load_recipe
from tucker.reproduction.study import Sheet, Study, kept

PAPER = {
    "FB15k": (14_951, 1_345),
    "FB15k-237": (14_541, 237),
    "WN18": (40_943, 18),
    "WN18RR": (40_943, 11),
}
"""Entities and relations, as the paper counts them."""


def table2(results: Path, *, train: bool = False) -> Study:
    """Return what was counted beside what the paper says; `train` counts if nothing is kept."""
    record = kept(results / "table2.json", _count, train=train)
    rows = [_row(name, record["datasets"][name]) for name in PAPER]
    head = ["data set", "entities", "(paper)", "relations", "(paper)", "train", "valid", "test"]
    dropouts = [_dropouts(name, record["datasets"][name]) for name in PAPER]
    sheets = [
        Sheet("Table 2: the data sets", head, rows),
        Sheet(
            "Training facts a relation, and the paper's dropouts",
            ["data set", "facts a relation", "subject", "relation", "query"],
            dropouts,
        ),
    ]
    notes = [
        "The paper remarks that data with more training facts a relation need lower dropouts: "
        "WN18 and WN18RR have some eight thousand, FB15k and FB15k-237 about a thousand or fewer. "
        "Its text names .3, .4 and .5 for both of the latter; in its Table 5 FB15k, which has the "
        "fewest, has dropouts as low as WN18RR's.",
        "Entities are counted over all splits. Some of valid and test are in no training fact: "
        + ", ".join(f"{record['datasets'][name]['unseen']} on {name}" for name in PAPER)
        + ".",
    ]
    return Study("table2", record, sheets, notes)


def _count() -> dict[str, Any]:
    return {"datasets": {name: _counted(name) for name in PAPER}}


def _counted(name: str) -> dict[str, int]:
    graph = load_graph(name)
    sizes = {split: len(graph.split(split)) for split in ("train", "valid", "test")}
    unseen = int((~graph.seen).sum())
    return {"entities": graph.n_e, "relations": graph.n_r, **sizes, "unseen": unseen}


def _row(name: str, one: dict[str, int]) -> list[str]:
    entities, relations = PAPER[name]
    both = (one["entities"], entities, one["relations"], relations)
    splits = (one["train"], one["valid"], one["test"])
    return [name, *(f"{number:,}" for number in (*both, *splits))]


def _dropouts(name: str, one: dict[str, int]) -> list[str]:
    model = load_recipe(f"paper/{name.lower()}").model
    keys = ("dropout_subject", "dropout_relation", "dropout_query")
    return [name, f"{one['train'] / one['relations']:,.0f}", *(f"{model[key]:g}" for key in keys)]
