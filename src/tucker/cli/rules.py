"""tucker rules"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table


def rules(
    run: RunPath,
    relation: Annotated[
        str | None, typer.Option(help="Only rules for this relation, by name or label.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many rules.")] = 20,
    json: Json = False,
) -> None:
    """Show the rules with the largest weights: paths that speak for an answer, or against it."""
    import tucker

    loaded = tucker.load(run)
    found = loaded.rules(relation, k=k)
    if json:
        print_json([rule.as_dict() for rule in found])
        return
    if not found:
        note("no rules were learned for this relation: no paths led to its facts")
        return
    names = loaded.graph.relations
    labels = {names.name(r): names.label(r) or names.name(r) for r in range(len(names))}
    print_table(
        "rules with the largest weights",
        ["asked for", "path", "weight", "· log(paths)"],
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
