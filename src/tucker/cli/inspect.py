"""tucker inspect"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from tucker.api import RelationShape


def inspect(
    run: RunPath,
    relation: Annotated[
        list[str] | None, typer.Option(help="Only this relation's name or label; repeatable.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw heatmaps of these relations: .svg, .png or .pdf."),
    ] = None,
    json: Json = False,
) -> None:
    """Show how symmetric the matrix of each relation is."""
    if plot and not relation:
        raise typer.BadParameter("say with --relation what to --plot")
    import tucker

    loaded = tucker.load(run)
    shapes = loaded.inspect(relation, plot=plot)
    if plot:
        note(f"wrote {plot}")
    if json:
        found = [shape.as_dict() for shape in shapes]
        if relation:
            for one in found:
                one["matrix"] = loaded.relation_matrix(one["relation"]).tolist()
        print_json(found)
    else:
        _print(shapes)


def _print(shapes: list[RelationShape]) -> None:
    print_table(
        "matrices of the relations: asymmetry is 0 if symmetric, 1 if antisymmetric",
        ["relation", "asymmetry", "asymmetry of scores", "norm", "facts", "both ways"],
        [
            [
                shape.label or shape.relation,
                shape.asymmetry,
                shape.asymmetry_of_scores,
                shape.norm,
                shape.facts,
                "–" if shape.both_ways is None else f"{shape.both_ways:.3f}",
            ]
            for shape in shapes
        ],
    )
