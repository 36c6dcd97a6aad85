"""The paper's Figure 3: the matrices of a symmetric and an asymmetric relation of WN18RR."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import torch

from tucker.graph import load_graph
from tucker.pipeline.plots import draw_heatmaps
from tucker.pipeline.shipped import load_recipe
from tucker.pipeline.train import train as trained
from tucker.prediction.inspect import inspect_relations, relation_matrix
from tucker.reproduction.study import Sheet, Study, kept
from tucker.runs import FinishedRun, RunFolder, load_run

SHOWN = ("_derivationally_related_form", "_hypernym")
_RECIPE = "figure3/wn18rr"
_MOSTLY = 0.8  # of a symmetric relation's facts hold the other way round too


def figure3(results: Path, *, runs: Path = Path("runs"), train: bool = False) -> Study:
    """Return two matrices and the measure of asymmetry over all relations."""
    record = kept(results / "figure3.json", partial(_made, runs), train=train)
    relations = sorted(record["relations"], key=lambda one: one["asymmetry"])
    rows = [
        [
            one["relation"],
            f"{one['facts']:,}",
            f"{one['both_ways']:.2f}",
            f"{one['asymmetry']:.3f}",
            f"{one['asymmetry_of_scores']:.3f}",
        ]
        for one in relations
    ]
    head = ["relation", "facts", "known both ways", "asymmetry of W_r", "of its scores"]
    sheet = Sheet("Figure 3: how asymmetric the matrix of each relation is", head, rows)
    notes = [_verdict(relations), *_NOTES]
    return Study("figure3", record, [sheet], notes, partial(_draw, record))


_NOTES = (
    "Asymmetry is ‖M − Mᵀ‖ / (2 ‖M‖): 0 if M is symmetric, 1 if it is antisymmetric, about .71 at "
    "random. That of scores weighs directions by how many entities lie in them.",
    "The paper draws matrices of 200 × 200 from a training of its own settings; these are of 60 × "
    "60 from a short one without batch normalisation.",
)


def _verdict(relations: list[dict[str, Any]]) -> str:
    """Say which places the relations known to be symmetric have, the least asymmetric first."""
    places = [
        f"{one['relation']} place {place} ({one['facts']:,} facts)"
        for place, one in enumerate(relations, 1)
        if one["both_ways"] >= _MOSTLY
    ]
    return (
        f"Of the relations whose facts hold both ways, by how symmetric W_r is among "
        f"{len(relations)}: {', '.join(places)}."
    )


def _made(runs: Path) -> dict[str, Any]:
    run = _run(runs)
    return {
        "recipe": _RECIPE,
        "seed": run.config["seed"],
        "config": run.config,
        "seconds": run.journal[-1]["seconds"],
        "valid_mrr": run.metrics["valid"]["mrr"],
        "relations": [shape.as_dict() for shape in inspect_relations(run)],
        "matrices": {
            name: [
                [round(value, 3) for value in row] for row in relation_matrix(run, name).tolist()
            ]
            for name in SHOWN
        },
    }


def _run(runs: Path) -> FinishedRun:
    """Train, or go on with the run in its place, or load it if it has finished."""
    folder = RunFolder(runs / "figure3-wn18rr-seed0")
    if folder.finished:
        return load_run(folder.path)
    recipe = load_recipe(_RECIPE)
    return trained(load_graph(recipe.graph), recipe, folder=folder, resume=folder.begun).run


def _draw(record: dict[str, Any], path: Path) -> None:
    matrices = {name: torch.tensor(matrix) for name, matrix in record["matrices"].items()}
    draw_heatmaps(path, matrices)
