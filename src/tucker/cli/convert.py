"""tucker convert"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table


def convert(
    run: RunPath,
    to: Annotated[Literal["tucker"], typer.Option(help="The model to turn it into.")] = "tucker",
    out: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="The new folder; runs/RUN-tucker by default."),
    ] = None,
    json: Json = False,
) -> None:
    """Turn a bilinear model into the TuckER with the same scores, to train it further."""
    import tucker

    before = tucker.load(run)
    after = before.convert(to, out=out or True)
    report = {
        "run": str(after.path),
        "from": before.config["model"]["name"],
        "to": to,
        "d_e": after.config["model"]["d_e"],
        "d_r": after.config["model"]["d_r"],
        "parameters": after.model.count_parameters(),
        "largest_difference": before.largest_difference(after),
    }
    if json:
        print_json(report)
        return
    print_table(
        f"{report['from']} as a TuckER of equal scores",
        ["model", "d_e", "d_r", "parameters"],
        [
            [report["from"], before.model.E.shape[1], before.model.R.shape[1],
             before.model.count_parameters()],
            [to, report["d_e"], report["d_r"], report["parameters"]],
        ],
    )  # fmt: skip
    note(
        f"largest difference over 10,000 random triples: {report['largest_difference']:.1e} of the "
        f"mean score; train on with: tucker train --from {after.path} --out NEW"
    )
