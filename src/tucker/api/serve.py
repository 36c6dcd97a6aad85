"""A run behind an address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tucker.errors import RunError
from tucker.extras import require
from tucker.runs import FinishedRun


def serve(
    run: FinishedRun,
    host: str,
    port: int,
    token: str | None,
    decisions: Path | str | None,
    ready: Callable[[str], None],
) -> None:
    """Serve a run until somebody stops it; `ready` hears the address when it answers."""
    require("serve")
    from tucker.serving import server  # noqa: PLC0415 - an extra
    from tucker.serving.app import create_app  # noqa: PLC0415

    if decisions is None:
        if run.path is None:
            raise RunError("say where decisions are kept: this run has no folder")
        decisions = run.path / "decisions.sqlite"
    server.check_address(host, token)
    listener = server.bind(host, port)
    url = server.url_of(listener)
    server.serve(
        create_app(run, decisions=decisions, token=token), listener, started=lambda: ready(url)
    )
