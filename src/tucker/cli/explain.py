"""tucker explain"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from tucker.prediction.explanation import Explanation, PathReason


def explain(
    run: RunPath,
    subject: Annotated[str, typer.Option(help="The subject's name or label.")],
    relation: Annotated[str, typer.Option(help="The relation's name or label.")],
    object: Annotated[str, typer.Option(help="The object's name or label.")],
    k: Annotated[int, typer.Option("-k", min=1, help="How many reasons of each kind.")] = 5,
    json: Json = False,
) -> None:
    """Say why a fact may hold: known facts like it, and paths that go with its relation."""
    import tucker

    explanation = tucker.load(run).explain(subject, relation, object, k=k)
    if json:
        print_json(explanation.as_dict())
    else:
        print_explanation(explanation)


def print_explanation(explanation: Explanation) -> None:
    """Print the reasons of one fact for people."""
    fact = f"{explanation.subject} · {explanation.relation} · {explanation.object}"
    if explanation.known:
        note(f"{fact} is a known fact, of {explanation.known}")
    print_table(
        f"{fact}: paths that go with {explanation.relation}",
        ["path", "such paths", "support", "joined", "confidence"],
        [
            [_drawn(path), path.paths, path.count.support, path.count.joined, path.count.confidence]
            for path in explanation.paths
        ],
    )
    print_table(
        f"{fact}: known facts most like it",
        ["subject", "object", "likeness", "of question", "of answer"],
        [
            [
                fact.subject,
                fact.object,
                fact.alike.likeness,
                fact.alike.query_cosine,
                fact.alike.object_cosine,
            ]
            for fact in explanation.facts
        ],
    )
    for text in explanation.notes:
        note(f"note: {text}")


def _drawn(path: PathReason) -> str:
    """Draw a path with its arrows."""
    first, *others = path.entities
    arrows = [
        f" ←{step.relation}– {entity}" if step.backwards else f" –{step.relation}→ {entity}"
        for step, entity in zip(path.steps, others, strict=True)
    ]
    return first + "".join(arrows)
