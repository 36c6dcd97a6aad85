"""tucker rules"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from tucker.prediction.explanation import Step


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

    def said(step: Step) -> str:
        names = loaded.graph.relations
        label = names.label(names.id(step.relation)) or step.relation
        return label + "⁻¹" * step.backwards

    print_table(
        "rules that say most",
        ["asked for", "path", "one path", "each e times as many"],
        [
            [said(rule.question), ", ".join(map(said, rule.steps)), rule.weight, rule.more]
            for rule in found
        ],
    )
