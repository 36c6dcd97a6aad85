"""tucker predict"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import print_json, print_table


def predict(
    run: RunPath,
    subject: Annotated[str | None, typer.Option(help="The subject's name or label.")] = None,
    relation: Annotated[str | None, typer.Option(help="The relation's name or label.")] = None,
    object: Annotated[str | None, typer.Option(help="The object's name or label.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many answers.")] = 10,
    json: Json = False,
) -> None:
    """Answer a question that gives two of subject, relation and object with new facts."""
    if [subject, relation, object].count(None) != 1:
        raise typer.BadParameter("give two of --subject, --relation and --object")
    import tucker

    answers = tucker.load(run).predict(subject=subject, relation=relation, object=object, k=k)
    if json:
        print_json([answer.as_dict() for answer in answers])
        return
    parts = ("subject", "relation", "object")
    print_table(
        "new facts, the most probable first",
        ["rank", *parts, "probability", "score"],
        [
            [
                answer.rank,
                *(answer.labels.get(part, getattr(answer, part)) for part in parts),
                answer.probability,
                answer.score,
            ]
            for answer in answers
        ],
    )
