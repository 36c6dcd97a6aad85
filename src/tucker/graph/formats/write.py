"""Graphs and triples written to files: TSV, CSV, Parquet, N-Triples and Turtle."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import polars as pl

from tucker.errors import FileError, GraphError
from tucker.files import whole_file
from tucker.graph.formats.content import is_gzipped
from tucker.graph.formats.tabular import COLUMNS, find_columns
from tucker.graph.graph import SPLITS, Graph, Ids
from tucker.graph.load import LABELS, split_of


def write_graph(graph: Graph, folder: Path | str, *, extension: str = ".tsv") -> None:
    """Write a graph as a folder of train, valid and test files, with its labels.

    Tables get the labels in `labels.tsv`, RDF in its own statements.
    """
    folder = Path(folder)
    extension = "." + extension.lower().removeprefix(".")
    paths = {split: folder / f"{split}{extension}" for split in SPLITS}
    write = _writer(paths["train"])
    _refuse_others(folder, [path.name for path in paths.values()])
    labels = None if write is _write_rdf else _labels(graph)
    if write is _write_tsv:  # before the first file, so that a bad name leaves no half a graph
        _check_names(folder, graph.entities.names)
        _check_names(folder, graph.relations.names)
    for split, path in paths.items():
        write(path, graph, graph.split(split))
    if labels is not None:
        _check_names(folder / LABELS, labels["name"])
        _write_lines(folder / LABELS, labels, header=True)


def write_triples(path: Path | str, graph: Graph, triples: Ids) -> None:
    """Write some triples of a graph to one file, in the format that its extension names."""
    path = Path(path)
    _writer(path)(path, graph, triples)


def name_table(graph: Graph, triples: Ids) -> pl.DataFrame:
    """Return triples by name: columns subject, relation and object."""
    vocabularies = (graph.entities, graph.relations, graph.entities)
    return pl.DataFrame(
        [
            vocabulary.names.gather(ids).alias(column)
            for column, vocabulary, ids in zip(COLUMNS, vocabularies, triples.T, strict=True)
        ]
    )


def _write_tsv(path: Path, graph: Graph, triples: Ids) -> None:
    table = name_table(graph, triples)
    for column in COLUMNS:
        _check_names(path, table[column])
    _write_lines(path, table, header=_reads_otherwise(table))


def _write_csv(path: Path, graph: Graph, triples: Ids) -> None:
    with _output(path) as file:
        name_table(graph, triples).write_csv(file)


def _write_parquet(path: Path, graph: Graph, triples: Ids) -> None:
    with whole_file(path) as temporary:
        name_table(graph, triples).write_parquet(temporary)


def _write_rdf(path: Path, graph: Graph, triples: Ids) -> None:
    from tucker.graph.formats.rdf import write_rdf  # noqa: PLC0415 - only RDF pays for its library

    with _output(path) as file:
        write_rdf(file, path, graph, triples)


_Writer = Callable[[Path, Graph, Ids], None]

WRITERS: dict[str, _Writer] = {
    ".tsv": _write_tsv,
    ".txt": _write_tsv,
    ".tab": _write_tsv,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".nt": _write_rdf,
    ".ttl": _write_rdf,
    ".tsv.gz": _write_tsv,
    ".txt.gz": _write_tsv,
    ".tab.gz": _write_tsv,
    ".csv.gz": _write_csv,
    ".nt.gz": _write_rdf,
    ".ttl.gz": _write_rdf,
}


def _writer(path: Path) -> _Writer:
    name = path.name.lower()
    kind = max((known for known in WRITERS if name.endswith(known)), key=len, default=None)
    if kind is None:
        known = ", ".join(known for known in WRITERS if not known.endswith(".gz"))
        raise FileError(path, f"cannot be written; name it by its format, one of {known}")
    return WRITERS[kind]


def _refuse_others(folder: Path, names: list[str]) -> None:
    """Refuse a folder whose splits in another format would stand beside the new ones."""
    if folder.exists() and not folder.is_dir():
        raise FileError(folder, "is a file, but a folder is expected; give another name")
    others = [path for path in folder.glob("*") if split_of(path) and path.name not in names]
    if others:
        found = ", ".join(sorted(path.name for path in others))
        raise GraphError(f"{folder}: already holds {found}; give an empty folder")


def _labels(graph: Graph) -> pl.DataFrame | None:
    tables = [
        pl.DataFrame({"name": vocabulary.names, "label": vocabulary.labels})
        for vocabulary in (graph.entities, graph.relations)
        if vocabulary.labels is not None
    ]
    if not tables:
        return None
    one_line = pl.col("label").str.replace_all(r"\s+", " ")
    return pl.concat(tables).drop_nulls().unique("name", maintain_order=True).with_columns(one_line)


def _check_names(path: Path, names: pl.Series) -> None:
    """Refuse names that a line of tab-separated text cannot hold."""
    broken = names.filter(names.str.contains(r"[\t\n\r]"))
    if len(broken):
        message = f"the name {broken[0]!r} has a tab or a line end; write CSV, Parquet or RDF"
        raise FileError(path, message)


def _reads_otherwise(table: pl.DataFrame) -> bool:
    """Say whether the first fact would be taken for a header, or its name for a byte order mark."""
    if table.is_empty():
        return False
    first = table.row(0)
    return find_columns(first) is not None or first[0].startswith("\ufeff")


def _write_lines(path: Path, table: pl.DataFrame, *, header: bool) -> None:
    with _output(path) as file:
        table.write_csv(file, separator="\t", quote_style="never", include_header=header)


@contextmanager
def _output(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to be written whole or not at all, and packed where its name says so."""
    with whole_file(path) as temporary, temporary.open("wb") as file:
        if not is_gzipped(path):
            yield file
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:  # equal bytes every time
            yield cast(IO[bytes], packed)
