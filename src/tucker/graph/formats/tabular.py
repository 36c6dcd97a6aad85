"""Facts from tables: TSV, CSV and Parquet, with a header or without."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tucker.errors import FileError
from tucker.graph.formats.content import check_file, read_content
from tucker.graph.formats.records import BOM, Records, find_records

_LABEL_COLUMNS = ["name", "label"]


@dataclass(frozen=True)
class _Dialect:
    separator: str
    quoted: bool  # whether double quotes enclose fields; where not, they are part of a name
    between: str  # what an error calls the separator


_TSV = _Dialect("\t", False, "tabs")
_CSV = _Dialect(",", True, "commas")


@dataclass(frozen=True, eq=False)
class _Text:
    """A delimited file, its records found but not yet read."""

    path: Path
    dialect: _Dialect
    data: bytes
    records: Records


def read_tsv(path: Path) -> pl.DataFrame:
    """Read tab-separated facts: columns subject, relation, object and line."""
    return _read_facts(_open(path, _TSV))


def read_csv(path: Path) -> pl.DataFrame:
    """Read comma-separated facts, quoted where need be: subject, relation, object and line."""
    return _read_facts(_open(path, _CSV))


def read_parquet(path: Path) -> pl.DataFrame:
    """Read facts from Parquet: columns subject, relation and object."""
    check_file(path)
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise FileError(path, "is not a complete Parquet file; fetch or write it again") from error
    places = find_columns(frame.columns)
    if places is None and frame.width != len(COLUMNS):
        found = ", ".join(map(repr, frame.columns)) or "no columns"
        message = f"found {found}; name three columns subject, relation and object"
        raise FileError(path, message)
    frame = frame[:, places or [0, 1, 2]]
    frame.columns = list(COLUMNS)
    return _checked(path, _as_strings(path, frame))


def read_labels(path: Path) -> pl.DataFrame:
    """Read `name<TAB>label` lines: columns name and label, the first label of each name."""
    text = _open(path, _TSV)
    if text.records.blank.all():
        return pl.DataFrame(schema=dict.fromkeys(_LABEL_COLUMNS, pl.String))
    first = _first_fields(text)
    _check_columns(text, 2, "name and label, separated by a tab")
    headed = [name.strip().casefold() for name in first] == _LABEL_COLUMNS
    frame = _parse(text, 2, headed=headed).drop("line")
    frame.columns = _LABEL_COLUMNS
    return frame.drop_nulls().unique("name", keep="first", maintain_order=True)


def _open(path: Path, dialect: _Dialect) -> _Text:
    data = read_content(path)
    records = find_records(data, dialect.separator, quoted=dialect.quoted)
    return _Text(path, dialect, data, records)


def _read_facts(text: _Text) -> pl.DataFrame:
    if text.records.blank.all():
        raise FileError(text.path, "is empty: it holds no facts")
    _check_quotes(text)
    names = _first_fields(text)
    places = find_columns(names)
    if places is None:
        width = len(COLUMNS)
        wanted = f"subject, relation and object, separated by {text.dialect.between}"
    else:
        width = len(names)
        wanted = "as many as the header has"
    _check_columns(text, width, wanted)
    frame = _parse(text, width, headed=places is not None)
    frame = frame[:, [*(places or [0, 1, 2]), width]]
    frame.columns = [*COLUMNS, "line"]
    return _checked(text.path, frame)


def _parse(text: _Text, width: int, *, headed: bool) -> pl.DataFrame:
    """Read the fields below the header as strings, and the line where each record begins."""
    full = np.flatnonzero(~text.records.blank)[int(headed) :]
    schema = {str(column): pl.String for column in range(width)}
    if not len(full):
        return pl.DataFrame(schema={**schema, "line": pl.UInt32})
    lines = text.records.lines
    start = int(text.records.starts[full[0]])
    data, skipped = text.data, int(lines[full[0]]) - 1
    if skipped and data.startswith(BOM, start):  # part of a name here, but not to the parser
        data, skipped = BOM + data[start:], 0
    try:
        frame = pl.read_csv(
            data,
            separator=text.dialect.separator,
            quote_char='"' if text.dialect.quoted else None,
            has_header=False,
            skip_lines=skipped,
            schema=schema,
        )
    except pl.exceptions.PolarsError as error:
        _check_encoding(text)
        raise FileError(text.path, f"cannot be read as a table: {error}") from error
    if len(full) < frame.height:  # a blank line is a row of nulls
        frame = frame[full - full[0]]
    return frame.with_columns(pl.Series("line", lines[full], dtype=pl.UInt32))


def _first_fields(text: _Text) -> list[str]:
    """Return the fields of the first record that is not blank: perhaps a header."""
    record = int(np.argmin(text.records.blank))
    content = text.data[text.records.starts[record] : text.records.ends[record]]
    fields = content.decode(errors="replace")  # bad bytes are found with their place later
    if not text.dialect.quoted:
        return fields.split(text.dialect.separator)
    try:
        return next(csv.reader([fields], delimiter=text.dialect.separator))
    except csv.Error:  # a lone carriage return or a huge field, as no header has
        return []


def _check_columns(text: _Text, width: int, wanted: str) -> None:
    records = text.records
    wrong = (records.columns != width) & ~records.blank
    if not wrong.any():
        return
    _check_encoding(text)  # in another encoding the columns are wrong too
    record = int(np.argmax(wrong))
    found = int(records.columns[record])
    columns = "column" if found == 1 else "columns"
    message = f"found {found} {columns} where {width} are needed, {wanted}"
    raise FileError(text.path, message, int(records.lines[record]))


def _check_quotes(text: _Text) -> None:
    wrong = text.records.misquoted
    if wrong.any():
        message = "quotes must enclose a whole field and be doubled within it; check them"
        raise FileError(text.path, message, int(text.records.lines[np.argmax(wrong)]))


def _check_encoding(text: _Text) -> None:
    try:
        text.data.decode()
    except UnicodeDecodeError as error:
        line = text.data.count(b"\n", 0, error.start) + 1
        begin = text.data.rfind(b"\n", 0, error.start) + 1
        column = len(text.data[begin : error.start].removeprefix(BOM).decode()) + 1
        byte = f"0x{text.data[error.start]:02x}"
        message = f"the byte {byte} at column {column} is not UTF-8; save the file as UTF-8"
        raise FileError(text.path, message, line) from error


def _as_strings(path: Path, frame: pl.DataFrame) -> pl.DataFrame:
    try:
        return frame.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        kinds = ", ".join(f"{name} is {kind}" for name, kind in frame.schema.items())
        raise FileError(path, f"the columns must hold text, but {kinds}") from error


def _checked(path: Path, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the facts, if there are any and no name of them is empty."""
    if frame.is_empty():
        raise FileError(path, "has columns but no rows: it holds no facts")
    firsts = {column: row for column in COLUMNS if (row := _first_empty(frame[column])) is not None}
    if not firsts:
        return frame
    column = min(firsts, key=firsts.__getitem__)
    row = firsts[column]
    if "line" in frame.columns:
        raise FileError(path, f"the {column} is empty; give it a name", int(frame["line"][row]))
    raise FileError(path, f"the {column} of row {row + 1} is empty; give it a name")


def _first_empty(names: pl.Series) -> int | None:
    empty = names.str.strip_chars().str.len_bytes().fill_null(0) == 0
    return int(empty.arg_true()[0]) if empty.any() else None


COLUMNS = ("subject", "relation", "object")

# The usual names of each column; of two in one header the one that stands first here is taken.
_USUAL = {
    "subject": (
        *("subject", "subj", "head", "s", "h", "from", "source", "src"),
        *("subject_id", "head_id", "source_id", "head_entity", "start", "start_id"),
    ),
    "relation": (
        *("relation", "predicate", "property", "rel", "pred", "r", "p"),
        *("relation_id", "predicate_id", "property_id", "relation_type", "predicate_type"),
        *("relationship", "edge", "edge_type", "type", "link", "label"),
    ),
    "object": (
        *("object", "obj", "tail", "target", "o", "t", "to", "dst", "dest", "destination"),
        *("object_id", "tail_id", "target_id", "tail_entity", "end", "end_id"),
    ),
}


def find_columns(names: Sequence[str]) -> list[int] | None:
    """Return where subject, relation and object stand in a header, or None if it is not one."""
    folded = [name.strip().casefold() for name in names]
    places = []
    for column in COLUMNS:
        usual = [name for name in _USUAL[column] if name in folded]
        if not usual:
            return None
        places.append(folded.index(usual[0]))
    return places
