"""tucker serve"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json


def serve(
    run: RunPath,
    host: Annotated[str, typer.Option(help="The address to serve on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")
    ] = 8000,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="TUCKER_TOKEN", help="What clients must send; needed if others can reach --host."
        ),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where decisions are kept; RUN/decisions.sqlite by default."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Serve a run over HTTP, with a page to review what is missing."""
    import tucker

    def ready(url: str) -> None:
        if json:
            print_json({"url": url, "run": str(run)})
        note(f"{run} is served on {url}; Ctrl-C stops it")

    tucker.load(run).serve(host=host, port=port, token=token, decisions=decisions, ready=ready)
    note("stopped")
