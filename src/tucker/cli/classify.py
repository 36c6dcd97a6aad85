"""tucker classify"""

from __future__ import annotations

from typing import Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import print_json, print_table


def classify(
    run: RunPath,
    seed: Annotated[int, typer.Option(min=0, help="Seed for drawing the corrupted facts.")] = 0,
    json: Json = False,
) -> None:
    """Tell true test facts from corrupted ones (triple classification).

    Thresholds are chosen on the validation split.
    """
    import tucker

    result = tucker.load(run).classify(seed=seed)
    if json:
        print_json(result.as_dict())
        return
    print_table(
        f"{result.split} facts and corrupted ones, {len(result.thresholds)} relations with a "
        "threshold of their own",
        ["facts", "corrupted", "accuracy", "ROC AUC"],
        [[result.facts, result.corrupted, result.accuracy, result.roc_auc]],
    )
