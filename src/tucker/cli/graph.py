"""tucker graph"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tucker.cli.options import GraphSource, Json, Seed, TestShare, ValidShare
from tucker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from tucker.api import Graph

app = typer.Typer(help="Look at, split or convert a graph.", no_args_is_help=True)


@app.command()
def stats(path: GraphSource, json: Json = False) -> None:
    """Count the facts, entities and relations of a graph."""
    import tucker

    result = tucker.graph_stats(tucker.load_graph(path))
    if json:
        print_json(result)
        return
    print_table(
        result["name"],
        ["", "count"],
        [
            *((f"{split} triples", count) for split, count in result["triples"].items()),
            *((key.replace("_", " "), result[key]) for key in _COUNTS),
        ],
    )
    columns = ["relation", "train", "valid", "test", "subjects", "objects", "category"]
    rows = sorted(result["by_relation"], key=lambda row: -row["train"])
    print_table("by relation", columns, [[row[column] for column in columns] for row in rows])
    _print_implications(result["implications"])
    for text in result["notes"]:
        note(f"note: {text}")


def _print_implications(rows: list[dict[str, Any]]) -> None:
    """Print which relation implies which, if any does."""
    if not rows:
        return
    shown = [
        [row["relation"], _conclusion(row), row["share"], row["missing"]]
        for row in rows[:_MOST_SHOWN]
    ]
    title = f"relations that imply others, {len(shown)} of {len(rows)}"
    print_table(title, ["relation", "implies", "share", "missing"], shown)


def _conclusion(row: dict[str, Any]) -> str:
    name: str = row["implies"]
    return f"inverse of {name}" if row["backwards"] else name


_MOST_SHOWN = 20  # --json has them all
_COUNTS = ("entities", "relations", "pairs", "unseen_entities", "labels")


@app.command()
def split(
    path: GraphSource,
    out: Annotated[Path, typer.Option(help="The new folder for the three files.")],
    valid: ValidShare = 0.1,
    test: TestShare = 0.1,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Divide a file of facts into train, valid and test.

    Every entity and relation of valid and test also occurs in train.
    """
    import tucker

    graph = tucker.split_graph(path, out, valid=valid, test=test, seed=seed)
    _report(graph, out, json=json)


@app.command()
def convert(
    path: GraphSource,
    out: Annotated[
        Path, typer.Option(help="The new file, or the new folder for a graph with splits.")
    ],
    format: Annotated[
        str | None, typer.Option(help="For a graph with splits: tsv, csv, parquet, nt or ttl.")
    ] = None,
    json: Json = False,
) -> None:
    """Write a graph in another format: .tsv .csv .parquet .nt .ttl, also .gz of text."""
    import tucker

    graph = tucker.convert_graph(path, out, format=format)
    _report(graph, out, json=json)


def _report(graph: Graph, out: Path, *, json: bool) -> None:
    counts = {split: len(graph.split(split)) for split in ("train", "valid", "test")}
    if json:
        print_json({"out": str(out), "triples": counts, "notes": list(graph.notes)})
        return
    for text in graph.notes:
        note(f"note: {text}")
    note(f"wrote {out}: " + ", ".join(f"{count:,} {split}" for split, count in counts.items()))
