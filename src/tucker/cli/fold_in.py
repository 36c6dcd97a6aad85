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
    out: Annotated[Path, typer.Option(metavar="RUN", help="The new folder for the larger run.")],
    json: Json = False,
) -> None:
    """Add facts to a run's graph; names that it does not have get embeddings, without training."""
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
        note(f"its calibration was left out; make a new one with: tucker calibrate {out}")
    note(f"go on training with: tucker train --from {out}")
