"""tucker predict"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.explain import print_explanation
from tucker.cli.facts import note_answers, print_facts
from tucker.cli.options import Json, RunPath
from tucker.cli.output import print_json


def predict(
    run: RunPath,
    subject: Annotated[str | None, typer.Option(help="The subject's name or label.")] = None,
    relation: Annotated[str | None, typer.Option(help="The relation's name or label.")] = None,
    object: Annotated[str | None, typer.Option(help="The object's name or label.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many answers.")] = 10,
    explain: Annotated[
        bool, typer.Option("--explain", help="Give reasons for each answer.")
    ] = False,
    json: Json = False,
) -> None:
    """Predict new facts: give two of subject, relation and object, and the third is answered.

    The probability of an answer is how likely it is right if the question has a missing answer.
    For the probability of a fact by itself, see tucker score.
    """
    if [subject, relation, object].count(None) != 1:
        raise typer.BadParameter("give two of --subject, --relation and --object")
    import tucker

    loaded = tucker.load(run)
    answers = loaded.predict(subject=subject, relation=relation, object=object, k=k)
    note_answers(loaded)
    facts = [(answer.subject, answer.relation, answer.object) for answer in answers]
    reasons = [loaded.explain(*fact) for fact in facts] if explain else []
    if json:
        said = [answer.as_dict() for answer in answers]
        for answer, reason in zip(said, reasons, strict=False):
            answer["reasons"] = reason.reasons()
        print_json(said)
        return
    print_facts("new facts, the most probable first", answers)
    for reason in reasons:
        print_explanation(reason)
