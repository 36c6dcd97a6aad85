"""Facts that an RDF file describes: an rdf:Statement with its parts, or what a node rdf:reifies."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import polars as pl
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from tucker.errors import TuckerError
from tucker.graph.formats.tabular import COLUMNS
from tucker.graph.formats.terms import blank_name, iri_name

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


RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALL_NAMED = (".nt", ".nq", ".nt.gz", ".nq.gz")  # formats where each blank node has its own id
_LABELS = (RDFS_LABEL, "http://www.w3.org/2004/02/skos/core#prefLabel")
_ANONYMOUS = re.compile("[a-f][0-9a-f]{20,31}")  # the ids that the parser makes up
_OF_STATEMENTS = frozenset((TYPE, REIFIES, *PARTS))
_BATCH = 100_000  # facts kept as Python strings before they become a table


class Collector:
    """Sorts statements into facts, labels and what is left out."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._has_anonymous = not file.lower().endswith(ALL_NAMED)
        self._tables: list[pl.DataFrame] = []
        self._facts: list[tuple[str, str, str]] = []
        self._labels: dict[str, tuple[bool, int, str]] = {}
        self._anonymous: dict[str, str] = {}
        self._statements = Statements()
        self._literals = 0
        self._nested = 0  # statements about statements
        self._described = 0  # facts that statements are about
        self._not_asserted = 0  # those of them that stand nowhere else

    def add(self, quad: Quad) -> None:
        """Take in one statement."""
        subject, relation, object = quad.subject, quad.predicate.value, quad.object
        if relation in _OF_STATEMENTS and self._describes(quad):
            return
        if isinstance(subject, Triple) or isinstance(object, Triple):
            self._nested += 1
        elif not isinstance(object, Literal):
            self._facts.append((self._name(subject), iri_name(relation), self._name(object)))
            if len(self._facts) == _BATCH:
                self._flush()
        elif relation in _LABELS:
            self._add_label(self._name(subject), _LABELS.index(relation), object)
        else:
            self._literals += 1

    def table(self) -> pl.DataFrame:
        """Return all facts, asserted or described, but none about statements."""
        statements, more = self._statements.finish()
        self._facts += [(s, iri_name(r), o) for s, r, o in more]
        self._flush()
        asserted = pl.concat(self._tables)
        if statements.is_empty():
            return asserted
        described = statements.drop("node").drop_nulls().unique(maintain_order=True)
        self._described = len(described)
        tables = []
        for facts in (asserted, described):
            rest = facts
            for end in ("subject", "object"):
                rest = rest.join(
                    statements, left_on=end, right_on="node", how="anti", maintain_order="left"
                )
            self._nested += len(facts) - len(rest)
            tables.append(rest)
        asserted, described = tables
        new = described.join(asserted, on=COLUMNS, how="anti", maintain_order="left")
        self._not_asserted = len(new)
        return pl.concat([asserted, new])

    def label_table(self) -> pl.DataFrame | None:
        """Return the best label of each name, or None where there are none."""
        if not self._labels:
            return None
        labels = [label for *_, label in self._labels.values()]
        return pl.DataFrame({"name": list(self._labels), "label": labels})

    def notes(self) -> tuple[str, ...]:
        """Tell how many statements were left out."""
        notes = []
        if self._described:
            facts = f"{self._described:,} fact{'s' * (self._described > 1)}"
            new = f" ({self._not_asserted:,} stated nowhere else)" * bool(self._not_asserted)
            notes.append(f"Read {facts} described by statements of {self._file}{new}.")
        left_out = {"whose object is a literal": self._literals, "about statements": self._nested}
        notes += [
            f"Left out {count:,} statement{'s' * (count > 1)} {kind} of {self._file}."
            for kind, count in left_out.items()
            if count
        ]
        return tuple(notes)

    def _describes(self, quad: Quad) -> bool:
        """Hear what may be part of the description of a fact; say whether it was."""
        relation, object = quad.predicate.value, quad.object
        if isinstance(quad.subject, Triple):
            return False
        if relation == TYPE:
            if not (isinstance(object, NamedNode) and object.value == STATEMENT):
                return False
            self._statements.add_type(self._name(quad.subject))
        elif relation == REIFIES:
            if not isinstance(object, Triple) or isinstance(object.object, Triple):
                return False
            if isinstance(object.subject, Triple):
                return False
            names = (self._name(object.subject), iri_name(object.predicate.value))
            end = self._value(object.object)
            self._statements.add_reified(self._name(quad.subject), *names, end)
        else:
            if isinstance(object, Triple):
                return False
            wrong = relation == PARTS[1] and not isinstance(object, NamedNode)
            value = None if wrong else self._value(object)
            self._statements.add_part(self._name(quad.subject), relation, value)
        return True

    def _value(self, term: NamedNode | BlankNode | Literal) -> str | None:
        """Return the name of a resource; None for a literal, which is left out."""
        if not isinstance(term, Literal):
            return self._name(term)
        self._literals += 1
        return None

    def _flush(self) -> None:
        self._tables.append(
            pl.DataFrame(self._facts, dict.fromkeys(COLUMNS, pl.String), orient="row")
        )
        self._facts.clear()

    def _name(self, term: NamedNode | BlankNode) -> str:
        if isinstance(term, NamedNode):
            return iri_name(term.value)
        if not self._has_anonymous or not _ANONYMOUS.fullmatch(term.value):
            return blank_name(term.value)
        # The parser's id is another at every reading; ours is the same, and no other file's.
        number = len(self._anonymous) + 1
        return blank_name(self._anonymous.setdefault(term.value, f"{self._file}-{number}"))

    def _add_label(self, name: str, order: int, literal: Literal) -> None:
        """Keep a label in English or no language before others, rdfs:label before skos.

        Of several such labels it is the first by the alphabet: statements have no order.
        """
        language = (literal.language or "en").lower()
        label = (language.split("-")[0] != "en", order, literal.value)
        if literal.value.strip():
            self._labels[name] = min(label, self._labels.get(name, label))
