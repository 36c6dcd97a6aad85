from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph.formats.records import BOM, find_records

pieces = st.lists(st.sampled_from(["a", "é", "\t", " ", "\n", "\r\n"]))
fields = st.text(st.sampled_from('ab,"\n '), max_size=4)


def contents(data, records):
    return [data[a:b] for a, b in zip(records.starts, records.ends, strict=True)]


@given(pieces, st.booleans())
def test_records_of_unquoted_text_are_its_lines(drawn, bom):
    text = "".join(drawn)
    data = BOM * bom + text.encode()
    records = find_records(data, "\t", quoted=False)
    lines = text.replace("\r\n", "\n").split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    assert [record.decode() for record in contents(data, records)] == lines
    assert len(records) == len(lines)
    assert records.lines.tolist() == list(range(1, len(lines) + 1))
    assert records.columns.tolist() == [line.count("\t") + 1 for line in lines]
    blank = [not line.strip(" ") for line in lines]
    assert records.blank.tolist() == blank
    assert not records.misquoted.any()


@given(st.lists(st.lists(fields, min_size=2, max_size=3), max_size=6))
def test_quoted_fields_may_hold_anything(rows):
    output = io.StringIO(newline="")
    writer = csv.writer(output, lineterminator="\n", quoting=csv.QUOTE_ALL)
    begins = []
    for row in rows:
        begins.append(output.getvalue().count("\n") + 1)
        writer.writerow(row)
    data = output.getvalue().encode()
    records = find_records(data, ",", quoted=True)
    assert [next(csv.reader([one.decode()])) for one in contents(data, records)] == rows
    assert records.lines.tolist() == begins
    assert records.columns.tolist() == [len(row) for row in rows]
    assert not records.blank.any()
    assert not records.misquoted.any()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('"a",b\nc,d\n', [False, False]),
        ('"a""b",c\n', [False]),
        ('a"b,c\nd,"e"\n', [True]),  # a quote that is not closed takes the next line with it
        ('a,"b"c"\n"d,e\n', [True]),
        ('x,y\n"a"b,c"d"\nx,y\n', [False, True, False]),
        ('x,"a" \n', [True]),
        ('",x\n', [True]),
    ],
)
def test_quotes_that_do_not_enclose_a_field_are_found(text, wrong):
    assert find_records(text.encode(), ",", quoted=True).misquoted.tolist() == wrong


def test_a_text_of_nothing_has_no_records():
    for data in (b"", BOM):
        assert len(find_records(data, ",", quoted=True)) == 0
