"""tucker explain"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from tucker.api import Explanation, PathReason


def explain(
    run: RunPath,
    subject: Annotated[str, typer.Option(help="The subject's name or label.")],
    relation: Annotated[str, typer.Option(help="The relation's name or label.")],
    object: Annotated[str, typer.Option(help="The object's name or label.")],
    k: Annotated[int, typer.Option("-k", min=1, help="How many reasons of each kind.")] = 5,
    json: Json = False,
) -> None:
    """Explain why a fact may hold: known facts like it, and paths that go with its relation."""
    import tucker

    explanation = tucker.load(run).explain(subject, relation, object, k=k)
    if json:
        print_json(explanation.as_dict())
    else:
        print_explanation(explanation)


def print_explanation(explanation: Explanation) -> None:
    """Print the reasons of one fact for people, labels in the place of names."""
    said = partial(_said, explanation.labels)
    parts = (explanation.subject, explanation.relation, explanation.object)
    fact = " · ".join(map(said, parts))
    if explanation.known:
        note(f"{fact} is a known fact ({explanation.known})")
    print_table(
        f"{fact}: paths that go with {said(explanation.relation)}",
        ["path", "such paths", "support", "joined", "confidence"],
        [
            [
                _drawn(path, said),
                path.paths,
                path.count.support,
                path.count.joined,
                path.count.confidence,
            ]
            for path in explanation.paths
        ],
    )
    print_table(
        f"{fact}: known facts most like it",
        ["subject", "object", "likeness", "of question", "of answer"],
        [
            [
                said(fact.subject),
                said(fact.object),
                fact.alike.likeness,
                fact.alike.query_cosine,
                fact.alike.object_cosine,
            ]
            for fact in explanation.facts
        ],
    )
    for text in explanation.notes:
        note(f"note: {text}")


def _said(labels: Mapping[str, str], name: str) -> str:
    return labels.get(name, name)


def _drawn(path: PathReason, said: Callable[[str], str]) -> str:
    """Draw a path with its arrows."""
    first, *others = map(said, path.entities)
    relations = [said(step.relation) for step in path.steps]
    arrows = [
        f" ←{relation}– {entity}" if step.backwards else f" –{relation}→ {entity}"
        for step, relation, entity in zip(path.steps, relations, others, strict=True)
    ]
    return first + "".join(arrows)
