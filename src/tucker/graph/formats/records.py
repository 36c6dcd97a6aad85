"""Where the records of a delimited text lie: their bytes, their lines and their columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tucker.graph.graph import Ids

BOM = b"\xef\xbb\xbf"
_NEWLINE, _RETURN, _QUOTE = b'\n\r"'

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Records:
    """The records of a text in order, blank lines included."""

    starts: Ids  # (records,) the byte where each begins
    ends: Ids  # (records,) the byte after its last, without the line end
    lines: Ids  # (records,) the line of the file where it begins, from 1
    columns: Ids  # (records,) how many fields it has
    blank: Mask  # (records,) whether it has nothing but white space
    misquoted: Mask  # (records,) whether it has quotes that do not enclose a whole field

    def __len__(self) -> int:
        return len(self.starts)


def find_records(data: bytes, separator: str, *, quoted: bool) -> Records:
    """Find the records of a text; where `quoted`, fields in double quotes may hold anything."""
    text = np.frombuffer(data, dtype=np.uint8)
    newlines = np.flatnonzero(text == _NEWLINE)
    separators = np.flatnonzero(text == ord(separator))
    quotes = np.flatnonzero(text == _QUOTE) if quoted else newlines[:0]
    breaks = _outside(newlines, quotes)
    separators = _outside(separators, quotes)
    starts, ends = _bounds(text, breaks, len(BOM) if data.startswith(BOM) else 0)
    first = np.searchsorted(separators, starts)
    columns = np.searchsorted(separators, ends) - first + 1
    return Records(
        starts=starts,
        ends=ends,
        lines=_lines(starts, newlines, breaks),
        columns=columns,
        blank=_blank(data, starts, ends, columns),
        misquoted=_misquoted(text, starts, ends, separators, quotes),
    )


def _lines(starts: Ids, newlines: Ids, breaks: Ids) -> Ids:
    if len(breaks) == len(newlines):  # no record spans lines
        return np.arange(1, len(starts) + 1)
    return np.searchsorted(newlines, starts) + 1


def _outside(places: Ids, quotes: Ids) -> Ids:
    """Keep the places that an even number of quotes precedes."""
    if not len(quotes):
        return places
    outside: Ids = places[np.searchsorted(quotes, places) % 2 == 0]
    return outside


def _bounds(text: npt.NDArray[np.uint8], breaks: Ids, begin: int) -> tuple[Ids, Ids]:
    starts = np.concatenate([[begin], breaks + 1]).astype(np.int64)
    ends = np.append(breaks, len(text)).astype(np.int64)
    if starts[-1] == ends[-1]:  # the last newline ends a line, it does not begin another
        starts, ends = starts[:-1], ends[:-1]
    returns = (ends > starts) & (text[np.maximum(ends - 1, 0)] == _RETURN)
    return starts, ends - returns


def _blank(data: bytes, starts: Ids, ends: Ids, columns: Ids) -> Mask:
    blank: Mask = starts == ends
    for record in np.flatnonzero((columns == 1) & ~blank):  # lines like these are odd and few
        blank[record] = data[starts[record] : ends[record]].isspace()
    return blank


def _misquoted(
    text: npt.NDArray[np.uint8], starts: Ids, ends: Ids, separators: Ids, quotes: Ids
) -> Mask:
    """Mark records with a field whose quotes are not two around it and pairs within it."""
    misquoted = np.zeros(len(starts), dtype=np.bool_)
    if not len(quotes):
        return misquoted
    firsts = np.sort(np.concatenate([starts, separators + 1]))  # (fields,)
    lasts = np.sort(np.concatenate([ends, separators])) - 1
    field = np.searchsorted(firsts, quotes, side="right") - 1  # (quotes,) the field of each
    enclosing = (quotes == firsts[field]) | (quotes == lasts[field])
    counts = np.bincount(field, minlength=len(firsts))
    wrong = (counts > 0) & ((text[firsts % len(text)] != _QUOTE) | (text[lasts] != _QUOTE))
    wrong |= (counts % 2 == 1) | ((counts > 0) & (firsts == lasts))
    inner = ~enclosing & ~wrong[field]
    pairs, owners = quotes[inner].reshape(-1, 2), field[inner].reshape(-1, 2)[:, 0]
    wrong[owners[pairs[:, 1] != pairs[:, 0] + 1]] = True
    misquoted[np.searchsorted(starts, firsts[wrong], side="right") - 1] = True
    return misquoted
