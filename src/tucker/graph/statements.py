"""Facts that an RDF file describes: an rdf:Statement with its parts, or what a node rdf:reifies."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from tucker.errors import TuckerError
from tucker.graph.header import COLUMNS

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TYPE, STATEMENT, REIFIES = RDF + "type", RDF + "Statement", RDF + "reifies"
PARTS = (RDF + "subject", RDF + "predicate", RDF + "object")
_BATCH = 100_000  # statements kept as Python strings before they become a table

Fact = tuple[str, str, str]


class StatementError(TuckerError):
    """A statement that describes no fact, and the node that stands for it."""

    def __init__(self, node: str, message: str) -> None:
        super().__init__(f"the statement {node} {message}")
        self.node = node


@dataclass
class _Begun:
    """What was said so far of a node that may be a statement."""

    typed: bool = False
    parts: dict[str, list[str | None]] = field(default_factory=dict)  # None: a literal


class Statements:
    """Puts statements together; only those not yet whole are kept apart from the table."""

    def __init__(self) -> None:
        self._begun: dict[str, _Begun] = {}
        self._whole: list[tuple[str, str, str, str | None, bool]] = []
        self._tables: list[pl.DataFrame] = []

    def add_type(self, node: str) -> None:
        """Hear that a node is an rdf:Statement."""
        self._begun.setdefault(node, _Begun()).typed = True

    def add_part(self, node: str, part: str, value: str | None) -> None:
        """Hear the subject, predicate or object of a node; None is a literal."""
        begun = self._begun.setdefault(node, _Begun())
        values = begun.parts.setdefault(part, [])
        if value not in values:
            values.append(value)
        if len(begun.parts) == len(PARTS):
            del self._begun[node]
            subject, relation, object = (_one(node, part, begun.parts[part]) for part in PARTS)
            if subject is None or relation is None:
                wrong = "subject is a literal" if subject is None else "predicate is no IRI"
                raise StatementError(node, f"describes no fact: its rdf:{wrong}; correct it")
            self._add(node, subject, relation, object, by_parts=True)

    def add_reified(self, node: str, subject: str, relation: str, object: str | None) -> None:
        """Hear of a fact that a node stands for, one of several perhaps."""
        self._add(node, subject, relation, object, by_parts=False)

    def finish(self) -> tuple[pl.DataFrame, list[Fact]]:
        """Return the statements, node and fact, and what turned out to be facts like any others.

        A node of the type rdf:Statement needs all three parts, unless it has none of them. Parts of
        a node that has no such type, and not all of them, are ordinary facts.
        """
        self._flush()
        table = pl.concat(self._tables)
        whole = self._wholes(table)
        ordinary: list[Fact] = []
        for node, begun in self._begun.items():
            if node in whole:
                for part, values in begun.parts.items():
                    _one(node, part, [whole[node][PARTS.index(part)], *values])
                continue
            if begun.typed and begun.parts:
                missing = [_short(part) for part in PARTS if part not in begun.parts]
                raise StatementError(
                    node,
                    f"lacks its {' and '.join(missing)}; add what is missing, or leave out its "
                    "type rdf:Statement if it is to be read as facts of its own",
                )
            ordinary += [(node, TYPE, STATEMENT)] * begun.typed
            ordinary += [
                (node, part, one) for part, all in begun.parts.items() for one in all if one
            ]
        return table.drop("by_parts"), ordinary

    def _wholes(self, table: pl.DataFrame) -> dict[str, list[str | None]]:
        """Return the parts of whole statements of which more was said, no node having others."""
        by_parts = table.filter("by_parts").drop("by_parts").unique(maintain_order=True)
        for node, *_ in by_parts.filter(pl.col("node").is_duplicated()).head(1).iter_rows():
            facts = by_parts.filter(node=node).drop("node")
            for part, column in zip(PARTS, COLUMNS, strict=True):
                _one(node, part, facts[column].to_list())
        begun = pl.DataFrame({"node": list(self._begun)}, {"node": pl.String})
        return {node: parts for node, *parts in by_parts.join(begun, "node", "semi").iter_rows()}

    def _add(
        self, node: str, subject: str, relation: str, object: str | None, *, by_parts: bool
    ) -> None:
        self._whole.append((node, subject, relation, object, by_parts))
        if len(self._whole) == _BATCH:
            self._flush()

    def _flush(self) -> None:
        schema = {**dict.fromkeys(("node", *COLUMNS), pl.String), "by_parts": pl.Boolean}
        self._tables.append(pl.DataFrame(self._whole, schema, orient="row"))
        self._whole.clear()


def _one(node: str, part: str, values: list[str | None]) -> str | None:
    if len(set(values)) > 1:
        raise StatementError(
            node, f"has two values of {_short(part)}; give each statement a node of its own"
        )
    return values[0]


def _short(part: str) -> str:
    return f"rdf:{part.removeprefix(RDF)}"
