"""tucker discover"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from tucker.cli.facts import note_facts, print_facts
from tucker.cli.options import Json, RunPath
from tucker.cli.output import print_json, stderr


def discover(
    run: RunPath,
    k: Annotated[int, typer.Option("-k", min=1, help="How many facts.")] = 100,
    relation: Annotated[str | None, typer.Option(help="Only facts of this relation.")] = None,
    subject: Annotated[str | None, typer.Option(help="Only facts of this subject.")] = None,
    min_probability: Annotated[
        float, typer.Option(min=0, max=1, help="Only facts that are at least as probable.")
    ] = 0.0,
    json: Json = False,
) -> None:
    """Find the most probable missing facts of the whole graph.

    The probability is that of the fact by itself, the same as in tucker score.
    """
    import tucker

    loaded = tucker.load(run)
    with _shown("discovering") as report:
        facts = loaded.discover(
            relation=relation,
            subject=subject,
            k=k,
            min_probability=min_probability,
            report=report,
        )
    note_facts(loaded)
    if json:
        print_json([fact.as_dict() for fact in facts])
        return
    print_facts("new facts, the most probable first", facts)


@contextmanager
def _shown(what: str) -> Iterator[Callable[[float], None]]:
    """Show a bar on stderr while a share of the work grows, if somebody watches."""
    console = stderr()
    columns = TextColumn(what), BarColumn(bar_width=24), TimeRemainingColumn()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda done: bar.update(task, completed=done)
