"""tucker score"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tucker.cli.facts import named, note_facts
from tucker.cli.options import Json, RunPath
from tucker.cli.output import print_json, print_table


def score(
    run: RunPath,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of facts: TSV, CSV, Parquet or RDF.")
    ],
    json: Json = False,
) -> None:
    """Score each fact of a file, and give its probability.

    The probability is that of the fact by itself, the same as in tucker discover.
    """
    import tucker

    loaded = tucker.load(run)
    facts = loaded.score(file)
    note_facts(loaded)
    if json:
        print_json([one.as_dict() for one in facts])
        return
    print_table(
        f"the facts of {file}",
        ["subject", "relation", "object", "probability", "score", "rank", "the graph"],
        [
            [
                *named(one.fact),
                one.fact.probability,
                one.fact.score,
                one.fact.rank,
                "has it" if one.known else "does not have it",
            ]
            for one in facts
        ],
    )
