"""tucker fold-in"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json


def fold_in(
    run: RunPath,
    facts: Annotated[Path, typer.Argument(metavar="FACTS", help="A file of new facts.")],
    out: Annotated[Path, typer.Option(metavar="RUN", help="The new folder for the run.")],
    json: Json = False,
) -> None:
    """Add facts and new entities to a run, without training it again."""
    import tucker

    before = tucker.load(run)
    after = before.fold_in(facts, out=out)
    added = {
        "run": str(out),
        "facts": len(after.graph.train) - len(before.graph.train),
        "entities": after.graph.n_e - before.graph.n_e,
    }
    if json:
        print_json(added)
        return
    note(f"wrote {out}: {added['facts']:,} facts and {added['entities']:,} entities more")
    if before.calibration:
        note(f"the new run is not calibrated; calibrate it with: tucker calibrate {out}")
    note(f"train it further with: tucker train --from {out}")
