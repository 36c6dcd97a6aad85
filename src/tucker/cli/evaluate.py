"""tucker evaluate"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import print_json, print_table


def evaluate(
    run: RunPath,
    split: Annotated[
        Literal["train", "valid", "test"], typer.Option(help="Which facts to rank.")
    ] = "test",
    ties: Annotated[
        Literal["realistic", "optimistic", "pessimistic"],
        typer.Option(help="How equal scores are ranked."),
    ] = "realistic",
    by: Annotated[
        Literal["relation", "side", "category"] | None,
        typer.Option(help="Add metrics for each relation, side or category."),
    ] = None,
    json: Json = False,
) -> None:
    """Rank the true answers of a split among all entities, other known answers left out."""
    import tucker

    result = tucker.load(run).evaluate(split, ties=ties, by=by).as_dict()
    if json:
        print_json(result)
        return
    rows = [_row("all", result), _row("seen in training", result["seen_only"])]
    print_table(f"{split} split, {ties} ties", _COLUMNS, rows)
    if by:
        rows = [_row(name, part) for name, part in result["by"].items()]
        print_table(f"by {by}", [by, *_COLUMNS[1:]], rows)


_COLUMNS = ["facts", "MRR", "Hits@1", "Hits@3", "Hits@10", "mean rank", "AMRI", "queries"]
_KEYS = ["mrr", "hits_at_1", "hits_at_3", "hits_at_10", "mean_rank", "amri", "queries"]


def _row(name: str, metrics: dict[str, Any]) -> list[object]:
    return [name, *(metrics[key] for key in _KEYS)]
