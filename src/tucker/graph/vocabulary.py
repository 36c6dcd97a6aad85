"""The names of a graph's entities or relations, and their ids."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from tucker.errors import TuckerError, UnknownNameError

_CLOSE_MATCH_CANDIDATES = 20_000  # difflib reads about as many names in a tenth of a second


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Names in the order of their ids, with a human-readable label for some of them."""

    kind: str  # "entity" or "relation": what an error calls a member
    names: pl.Series  # by id
    labels: pl.Series | None = None  # by id; null where a name has none

    def __len__(self) -> int:
        return len(self.names)

    def name(self, id: int) -> str:
        """Return the name of an id."""
        return str(self.names[int(id)])

    def label(self, id: int) -> str | None:
        """Return the label of an id, or None where the graph has none."""
        return None if self.labels is None else self.labels[int(id)]

    def find(self, name: str) -> int | None:
        """Return the id of a name, or None where there is none: no labels, no hints."""
        return self._ids.get(name)

    def id(self, text: str) -> int:
        """Return the id of a name, or of a label that only one member has."""
        if (id := self._ids.get(text)) is not None:
            return id
        matches = self._labelled(text)
        if len(matches) == 1:
            return matches[0]
        if matches:
            names = ", ".join(repr(self.name(match)) for match in matches[:5])
            raise TuckerError(f"several of the graph have the label {text!r}: {names}; give a name")
        raise UnknownNameError(self.kind, text, self.nearest(text))

    def nearest(self, text: str, count: int = 3) -> list[str]:
        """Return the names and labels most like a text: a hint for a mistyped one."""
        known = self.names if self.labels is None else pl.concat([self.names, self.labels])
        known = known.drop_nulls()
        wanted = text.casefold()
        containing = known.filter(known.str.to_lowercase().str.contains(wanted, literal=True))
        if len(known) > _CLOSE_MATCH_CANDIDATES:
            known = known.filter(known.str.head(1).str.to_lowercase() == wanted[:1])
        by_folded = {name.casefold(): name for name in known.head(_CLOSE_MATCH_CANDIDATES)}
        if wanted in by_folded:
            return [by_folded[wanted]]
        close = difflib.get_close_matches(wanted, by_folded, n=count, cutoff=0.6)
        found = [by_folded[name] for name in close] + containing.head(count).to_list()
        return list(dict.fromkeys(found))[:count]

    def _labelled(self, text: str) -> list[int]:
        if self.labels is None:
            return []
        return (self.labels == text).fill_null(False).arg_true().to_list()

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {name: id for id, name in enumerate(self.names)}
