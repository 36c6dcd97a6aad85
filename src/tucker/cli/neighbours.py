"""tucker neighbours"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import print_json, print_table


def neighbours(
    run: RunPath,
    name: Annotated[str, typer.Argument(metavar="NAME", help="An entity's name or label.")],
    k: Annotated[int, typer.Option("-k", min=1, help="How many entities.")] = 10,
    index: Annotated[
        bool | None,
        typer.Option(
            "--index/--exact", help="The search is exact; there is no index any more.", hidden=True
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the entities whose embeddings are most similar to one, by cosine."""
    import tucker

    found = tucker.load(run).neighbours(name, k=k, index=index)
    if json:
        print_json([one.as_dict() for one in found])
        return
    print_table(
        f"nearest to {name}",
        ["rank", "entity", "cosine"],
        [[one.rank, one.label or one.name, one.cosine] for one in found],
    )
