"""tucker export"""

from __future__ import annotations

import json as json_text
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json
from tucker.errors import FileError


def export(
    run: RunPath,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The new file.")],
    format: Annotated[
        Literal["parquet", "npz", "word2vec", "tsv", "nt"],
        typer.Option(help="For embeddings parquet, npz or word2vec; for facts parquet, tsv or nt."),
    ],
    facts: Annotated[
        str | None,
        typer.Option(
            metavar="JSON",
            help="Write these facts, as predict and discover --json print them; - is stdin.",
        ),
    ] = None,
    annotation: Annotated[
        Literal["star", "reified", "none"],
        typer.Option(help="How N-Triples hold the probability of a fact."),
    ] = "star",
    json: Json = False,
) -> None:
    """Write embeddings or predicted facts for other programs."""
    import tucker

    found = None if facts is None else _read(facts)
    loaded = tucker.load(run)
    files = loaded.export(out, format, found, annotation=annotation)
    rows = loaded.graph.n_e + 2 * loaded.graph.n_r if found is None else len(found)
    if json:
        print_json({"files": [str(file) for file in files], "rows": rows})
    else:
        note(f"wrote {', '.join(map(str, files))}: {rows:,} rows")


def _read(source: str) -> list[dict[str, object]]:
    """Read a JSON list of facts from a file or stdin."""
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
        found = json_text.loads(text)
    except OSError as error:
        raise FileError(source, f"cannot be read ({error.strerror})") from error
    except RecursionError as error:
        raise FileError(source, "is nested too deeply to be a list of facts") from error
    except ValueError as error:
        raise FileError(source, f"is not JSON ({error})") from error
    if not isinstance(found, list):
        raise FileError(source, "holds no list of facts, as predict --json prints it")
    return found
