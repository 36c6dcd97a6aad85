"""One file of facts, read by what its extension says it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import polars as pl

from tucker.errors import FileError, GraphError
from tucker.graph.formats.content import check_file
from tucker.graph.formats.file_facts import FileFacts
from tucker.graph.formats.tabular import COLUMNS, read_csv, read_parquet, read_tsv

__all__ = ["READERS", "Facts", "FileFacts", "extension", "named_facts", "read_facts"]

Facts = str | Path | pl.DataFrame | Iterable[Sequence[str]]
"""A file of facts, a table with the columns subject, relation and object, or triples of names."""


def _table(read: Callable[[Path], pl.DataFrame]) -> Callable[[Path], FileFacts]:
    return lambda path: FileFacts(path, read(path))


def _rdf(path: Path) -> FileFacts:
    from tucker.graph.formats.rdf import read_rdf  # noqa: PLC0415 - only RDF pays for its library

    return read_rdf(path)


READERS: dict[str, Callable[[Path], FileFacts]] = {
    ".tsv": _table(read_tsv),
    ".txt": _table(read_tsv),
    ".tab": _table(read_tsv),
    ".csv": _table(read_csv),
    ".parquet": _table(read_parquet),
    ".nt": _rdf,
    ".nq": _rdf,
    ".ttl": _rdf,
    ".trig": _rdf,
    ".rdf": _rdf,
    ".tsv.gz": _table(read_tsv),
    ".txt.gz": _table(read_tsv),
    ".tab.gz": _table(read_tsv),
    ".csv.gz": _table(read_csv),
    ".nt.gz": _rdf,
    ".nq.gz": _rdf,
    ".ttl.gz": _rdf,
    ".trig.gz": _rdf,
    ".rdf.gz": _rdf,
}


def extension(path: Path) -> str | None:
    """Return the part of a file's name that says how to read it, or None if nothing does."""
    name = path.name.lower()
    return max((known for known in READERS if name.endswith(known)), key=len, default=None)


def read_facts(path: Path | str) -> FileFacts:
    """Read the facts of a file: TSV, CSV, Parquet or RDF, as its extension says."""
    path = Path(path)
    check_file(path)
    kind = extension(path)
    if kind is None:
        known = ", ".join(known for known in READERS if not known.endswith(".gz"))
        found = f"the extension {path.suffix!r} is unknown" if path.suffix else "has no extension"
        raise FileError(path, f"{found}; name it by its format, one of {known} (or .gz of most)")
    return READERS[kind](path)


def named_facts(facts: Facts) -> pl.DataFrame:
    """Return facts that are given in any form as a table: subject, relation, object."""
    if isinstance(facts, str | Path):
        return read_facts(Path(facts)).table
    if isinstance(facts, pl.DataFrame):
        if missing := [column for column in COLUMNS if column not in facts.columns]:
            raise GraphError(f"a table of facts lacks the column {missing[0]}")
        return facts.select(pl.col(COLUMNS).cast(pl.String))
    rows = [tuple(fact) for fact in facts]
    if wrong := [row for row in rows if len(row) != len(COLUMNS)]:
        raise GraphError(f"{wrong[0]!r} is not a fact: give subject, relation and object")
    return pl.DataFrame(rows, dict.fromkeys(COLUMNS, pl.String), orient="row")
