from __future__ import annotations

import contextlib
import csv
import gzip
import io
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tucker.errors import FileError
from tucker.graph.formats.tabular import read_csv, read_labels, read_parquet, read_tsv

FACTS = [("a", "likes", "b"), ("b", "likes", "c")]
TEXT = "a\tlikes\tb\nb\tlikes\tc\n"


def names(forbidden: str = "") -> st.SearchStrategy[str]:
    characters = st.characters(exclude_categories=["Cs"], exclude_characters=forbidden + "\ufeff")
    return st.text(characters, min_size=1, max_size=8).filter(lambda name: name.strip())


def triples(forbidden: str = "") -> st.SearchStrategy[list[tuple[str, str, str]]]:
    name = names(forbidden)
    return st.lists(st.tuples(name, name, name), min_size=1, max_size=12)


def facts(table: pl.DataFrame) -> list[tuple[str, str, str]]:
    return table.select("subject", "relation", "object").rows()


def save(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


# Every example overwrites the file of the one before, so one folder for all is as good.
relaxed = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@relaxed
@given(
    triples("\t\r\n"),
    st.data(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_tsv_reads_what_was_written(tmp_path, written, data, end):
    header, bom, packed = (data.draw(st.booleans()) for _ in range(3))
    lines = ["\t".join(fact) for fact in written]
    if header or "subject" in written[0]:
        lines.insert(0, "Subject\tPredicate\tTarget")
    for place in range(len(lines), -1, -1):
        blanks = data.draw(st.sampled_from([0, 0, 0, 1, 2]))
        lines[place:place] = [data.draw(st.sampled_from(["", "  "]))] * blanks
    expected = [number for number, line in enumerate(lines, 1) if "\t" in line]
    last = end if data.draw(st.booleans()) else ""
    text = end.join(lines) + last
    content = b"\xef\xbb\xbf" * bom + text.encode()
    table = read_tsv(save(tmp_path / ("facts.tsv.gz" if packed else "facts.tsv"), content))
    assert facts(table) == written
    assert table["line"].to_list() == expected[-len(written) :]


@relaxed
@given(triples(), st.booleans(), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_csv_reads_what_was_written(tmp_path, written, quote_all, header, end):
    output = io.StringIO(newline="")
    returns = any("\r" in name for fact in written for name in fact)  # csv leaves them unquoted
    quoting = csv.QUOTE_ALL if quote_all or returns else csv.QUOTE_MINIMAL
    writer = csv.writer(output, lineterminator=end, quoting=quoting)
    lines = []
    if header or len({name.casefold() for name in written[0]} & set("shfrpot")) == 3:
        writer.writerow(["o", "s", "note", "p"])
        header = True
    for s, r, o in written:
        lines.append(output.getvalue().count("\n") + 1)
        writer.writerow([o, s, "ignored", r] if header else [s, r, o])
    table = read_csv(save(tmp_path / "facts.csv", output.getvalue().encode()))
    assert facts(table) == written
    assert table["line"].to_list() == lines


@relaxed
@given(triples(), st.booleans())
def test_parquet_reads_what_was_written(tmp_path, written, named):
    columns = ["head", "rel", "tail"] if named else ["x", "y", "z"]
    frame = pl.DataFrame(written, dict.fromkeys(columns, pl.String), orient="row")
    if named:
        frame = frame.select("tail", pl.lit(1).alias("weight"), "rel", "head")
    path = tmp_path / "facts.parquet"
    frame.write_parquet(path)
    assert facts(read_parquet(path)) == written


@pytest.mark.parametrize(
    "header", ["subject\trelation\tobject", "HEAD\tRel\ttail", "from\tproperty\tto", "h\tr\tt"]
)
def test_a_header_is_not_a_fact(tmp_path, header):
    path = tmp_path / "facts.tsv"
    path.write_text(f"{header}\n{TEXT}")
    assert facts(read_tsv(path)) == FACTS


def test_columns_of_a_header_may_stand_in_any_order_among_others(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text("object\tsource\tyear\tsubject\tpredicate\nb\twiki\t1999\ta\tlikes\n")
    assert facts(read_tsv(path)) == [("a", "likes", "b")]


def test_quotes_in_tsv_are_part_of_a_name(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text('"a\tlikes"\t"b"\n')
    assert facts(read_tsv(path)) == [('"a', 'likes"', '"b"')]


def test_names_keep_their_spaces(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text(" a\tli kes\tb \n")
    assert facts(read_tsv(path)) == [(" a", "li kes", "b ")]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"a\tr\tb\n\nc\tr\n", 3, "found 2 columns where 3 are needed"),
        (b"a\tr\tb\r\n\r\n\r\nc\tr\td\te\r\n", 4, "found 4 columns where 3 are needed"),
        (b"a r b\n", 1, "found 1 column where 3 are needed"),
        (b"subject\trelation\tobject\tx\na\tr\tb\n", 2, "found 3 columns where 4 are needed"),
        (b"a\tr\tb\nc\t\td\n", 2, "the relation is empty"),
        (b"a\tr\tb\n\n  \tr\td\n", 3, "the subject is empty"),
        (b"subject\trelation\tobject\na\tr\t\n", 2, "the object is empty"),
        (b"a\tr\tb\nc\tr\td\xff\n", 2, "the byte 0xff at column 6 is not UTF-8"),
        (b"\xef\xbb\xbf\xc3\xa9\xff\tr\tb\n", 1, "the byte 0xff at column 2 is not UTF-8"),
        ("a\tr\tb\n".encode("utf-16"), 1, "the byte 0xff at column 1 is not UTF-8"),
        (b"", None, "is empty"),
        (b"\xef\xbb\xbf", None, "is empty"),
        (b"\n \n\r\n", None, "is empty"),
        (b"subject\trelation\tobject\n", None, "holds no facts"),
    ],
)
def test_a_fault_of_tsv_is_named_with_its_line(tmp_path, content, line, message):
    path = tmp_path / "facts.tsv"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message) as caught:
        read_tsv(path)
    assert caught.value.line == line
    place = f"{path}:{line}: " if line else f"{path}: "
    assert str(caught.value).startswith(place)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b'"a\n\nb",r,c\n\nd,r\n', 5, "found 2 columns"),
        (b'"a\r\nb",r,c\r\n"",r,d\r\n', 3, "the subject is empty"),
        (b'a,r,"\n \n"\n', 1, "the object is empty"),
        (b'a,r,b\nc,r,"d\n', 2, "quotes must enclose"),
        (b'a,r,b\nc,r,d"e\n', 2, "quotes must enclose"),
        (b'a,r,b\n\nc,r,"d"e"f"\n', 3, "quotes must enclose"),
        (b'a,r,b\nc,r,"d" \ne,r,f\n', 2, "quotes must enclose"),
        (b'a,r,b\nc,"\xff",d\n', 2, "the byte 0xff at column 4"),
    ],
)
def test_a_fault_of_csv_is_named_with_its_line(tmp_path, content, line, message):
    path = tmp_path / "facts.csv"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message) as caught:
        read_csv(path)
    assert caught.value.line == line


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1 and not much more PAR1"])
def test_broken_parquet_is_refused(tmp_path, content):
    path = tmp_path / "facts.parquet"
    path.write_bytes(content)
    with pytest.raises(FileError, match="is not a complete Parquet file"):
        read_parquet(path)


def test_parquet_needs_three_columns_or_their_names(tmp_path):
    path = tmp_path / "facts.parquet"
    pl.DataFrame({"a": ["x"], "b": ["y"]}).write_parquet(path)
    with pytest.raises(FileError, match="found 'a', 'b'; name three columns"):
        read_parquet(path)


def test_an_empty_name_in_parquet_is_named_with_its_row(tmp_path):
    path = tmp_path / "facts.parquet"
    pl.DataFrame({"s": ["x", "x"], "r": ["y", None], "o": ["z", "z"]}).write_parquet(path)
    with pytest.raises(FileError, match="the relation of row 2 is empty"):
        read_parquet(path)


def test_parquet_of_numbers_reads_as_names(tmp_path):
    path = tmp_path / "facts.parquet"
    pl.DataFrame({"s": [1], "r": [2], "o": [3]}).write_parquet(path)
    assert facts(read_parquet(path)) == [("1", "2", "3")]


def test_parquet_of_lists_is_refused(tmp_path):
    path = tmp_path / "facts.parquet"
    pl.DataFrame({"s": [[1]], "r": ["r"], "o": [b"\xff"]}).write_parquet(path)
    with pytest.raises(FileError, match="must hold text"):
        read_parquet(path)


@pytest.mark.parametrize("read", [read_tsv, read_csv, read_parquet])
def test_a_missing_file_and_a_folder_are_refused(tmp_path, read):
    with pytest.raises(FileError, match="there is no such file"):
        read(tmp_path / "nothing")
    with pytest.raises(FileError, match="is a folder, but a file is expected"):
        read(tmp_path)


def test_labels(tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text("name\tlabel\na\tAnna\n\nb\t\na\tOther\n")
    assert read_labels(path).rows() == [("a", "Anna")]
    path.write_text("\n")
    assert read_labels(path).is_empty()
    path.write_text("a\tAnna\nb\n")
    with pytest.raises(FileError, match="found 1 column where 2 are needed") as caught:
        read_labels(path)
    assert caught.value.line == 2


@relaxed
@given(st.lists(st.sampled_from([b"a", b"b", b"\t", b",", b'"', b"\n", b"\r", b" ", b"\xff"])))
def test_any_bytes_are_read_or_refused(tmp_path, pieces):
    content = b"".join(pieces)
    for name, read in {"facts.tsv": read_tsv, "facts.csv": read_csv}.items():
        with contextlib.suppress(FileError):
            table = read(save(tmp_path / name, content))
            assert 0 < table.height <= content.count(b"\n") + 1
