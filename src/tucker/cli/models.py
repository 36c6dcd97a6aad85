"""tucker models"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.options import Json
from tucker.cli.output import print_json, print_table


def models(
    graph: Annotated[
        list[str] | None,
        typer.Option(help="Count parameters for this graph or dataset; repeatable."),
    ] = None,
    json: Json = False,
) -> None:
    """List all models: scoring function, space, expressiveness and number of parameters."""
    import tucker

    graphs = list(dict.fromkeys(graph or []))
    members = tucker.list_models(graphs)
    if json:
        print_json([member.as_dict() for member in members])
        return
    print_table(
        "models; parameters at default dimensions, reciprocal relations included"
        if graphs
        else "models",
        ["model", "φ(s, r, o)", "relation", "space", "fully expressive", *graphs],
        [
            [
                member.name,
                member.score.partition(" = ")[2],
                member.relation,
                member.space,
                "yes" if member.fully_expressive else "no",
                *(member.parameters[name] for name in graphs),
            ]
            for member in members
        ],
    )
