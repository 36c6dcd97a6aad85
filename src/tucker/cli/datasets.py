"""tucker datasets"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.options import Json
from tucker.cli.output import note, print_json, print_table

app = typer.Typer(
    help="Public benchmark graphs, compared with known checksums.", no_args_is_help=True
)


@app.command("list")
def list_(json: Json = False) -> None:
    """List the named datasets, and where each is on this machine."""
    import tucker

    rows = tucker.list_datasets()
    if json:
        print_json(rows)
        return
    print_table(
        "named datasets",
        ["name", "train", "valid", "test", "entities", "relations", "where", "licence"],
        [
            [
                row["name"],
                *row["triples"].values(),
                row["entities"],
                row["relations"],
                row["path"] or row["where"],
                row["licence"],
            ]
            for row in rows
        ],
    )


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="The name of a dataset; see `datasets list`.")],
    json: Json = False,
) -> None:
    """Fetch a dataset from its public home into the cache, and compare its checksums."""
    import tucker

    path = tucker.fetch_dataset(name, progress=_FileNotes())
    if json:
        print_json({"name": name, "path": str(path)})
        return
    note(f"{name} is complete in {path}")


class _FileNotes:
    """Says which file is on its way, once each."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(self, file: str, here: int, size: int) -> None:
        if file not in self._said:
            self._said.add(file)
            note(f"fetching {file}, {size / 1e6:.1f} MB")
