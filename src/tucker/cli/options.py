"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
GraphSource = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="A file, a folder with train, valid and test, `world`, or a dataset's name.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the random split.")]
ValidShare = Annotated[float, typer.Option("--valid", help="Share of the facts for validation.")]
TestShare = Annotated[float, typer.Option("--test", help="Share of the facts for the test.")]
