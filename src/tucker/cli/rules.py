"""tucker rules"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table


def rules(
    run: RunPath,
    relation: Annotated[
        str | None, typer.Option(help="A relation's name or label: only its rules.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many rules.")] = 20,
    json: Json = False,
) -> None:
    """Show the rules that say most: what paths speak for an answer, or against it."""
    import tucker

    loaded = tucker.load(run)
    found = loaded.rules(relation, k=k)
    if json:
        print_json([rule.as_dict() for rule in found])
        return
    if not found:
        note("there are no rules for this relation: no paths led to its facts")
        return
    names = loaded.graph.relations
    labels = {names.name(r): names.label(r) or names.name(r) for r in range(len(names))}
    print_table(
        "rules that say most",
        ["asked for", "path", "one path", "each e times as many"],
        [
            [
                rule.question.said(labels),
                ", ".join(step.said(labels) for step in rule.steps),
                rule.weight,
                rule.more,
            ]
            for rule in found
        ],
    )
