"""Facts and labels from RDF and to it: N-Triples, N-Quads, Turtle, TriG and RDF/XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TypeVar

import numpy as np
import polars as pl
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Triple,
    parse,
    serialize,
)

from tucker.errors import FileError
from tucker.graph.content import is_gzipped, open_content
from tucker.graph.facts import Facts
from tucker.graph.graph import Graph, Ids
from tucker.graph.header import COLUMNS
from tucker.graph.terms import blank_name, entity_term, iri_name, relation_term
from tucker.graph.vocabulary import Vocabulary

_Term = TypeVar("_Term", bound=NamedNode | BlankNode)

RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_LABELS = (RDFS_LABEL, "http://www.w3.org/2004/02/skos/core#prefLabel")
_FORMATS = {
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".ttl": RdfFormat.TURTLE,
    ".trig": RdfFormat.TRIG,
    ".rdf": RdfFormat.RDF_XML,
}
_ANONYMOUS = re.compile("[a-f][0-9a-f]{20,31}")  # the ids that the parser makes up
_ALL_NAMED = (".nt", ".nq", ".nt.gz", ".nq.gz")  # formats where each blank node has its own id
_BATCH = 100_000  # facts kept as Python strings before they become a table


def read_rdf(path: Path) -> Facts:
    """Read the facts between resources and the labels of an RDF file.

    Literals other than labels are no facts and are left out, with a note of how many.
    """
    collector = _Collector(path.name)
    with open_content(path) as content:
        try:
            for quad in parse(content, format=rdf_format(path)):
                collector.add(quad)
        except SyntaxError as error:
            reason = re.sub(r"^Parser error .*?: ", "", error.msg)
            column = f" at column {error.offset}" if error.offset else ""
            message = f"is not well-formed RDF{column}: {reason}"
            raise FileError(path, message, error.lineno) from error
    table = collector.table()
    if table.is_empty():
        raise FileError(path, "holds no facts between two resources")
    return Facts(path, table, collector.label_table(), collector.notes())


def rdf_format(path: Path) -> RdfFormat:
    """Return the RDF format that a file's extension names."""
    suffix = path.with_suffix("").suffix if is_gzipped(path) else path.suffix
    return _FORMATS[suffix.lower()]


class _Collector:
    """Sorts statements into facts, labels and what is left out."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._has_anonymous = not file.lower().endswith(_ALL_NAMED)
        self._tables: list[pl.DataFrame] = []
        self._facts: list[tuple[str, str, str]] = []
        self._labels: dict[str, tuple[tuple[bool, int], str]] = {}
        self._anonymous: dict[str, str] = {}
        self._literals = 0
        self._nested = 0

    def add(self, quad: Quad) -> None:
        """Take in one statement."""
        subject, relation, object = quad.subject, quad.predicate.value, quad.object
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
        """Return all facts so far."""
        self._flush()
        return pl.concat(self._tables)

    def label_table(self) -> pl.DataFrame | None:
        """Return the best label of each name, or None where there are none."""
        if not self._labels:
            return None
        labels = [label for _, label in self._labels.values()]
        return pl.DataFrame({"name": list(self._labels), "label": labels})

    def notes(self) -> tuple[str, ...]:
        """Tell how many statements were left out."""
        left_out = {"whose object is a literal": self._literals, "about statements": self._nested}
        return tuple(
            f"Left out {count:,} statement{'s' * (count > 1)} {kind} of {self._file}."
            for kind, count in left_out.items()
            if count
        )

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
        """Keep a label in English or no language before others, rdfs:label before skos."""
        language = (literal.language or "en").lower()
        rank = (language.split("-")[0] != "en", order)
        if literal.value.strip() and (name not in self._labels or rank < self._labels[name][0]):
            self._labels[name] = (rank, literal.value)


def write_rdf(file: IO[bytes], path: Path, graph: Graph, triples: Ids) -> None:
    """Write triples and the labels of what they mention, in the format that the path names."""
    serialize(_statements(graph, triples), file, rdf_format(path))


def _statements(graph: Graph, triples: Ids) -> Iterator[Triple]:
    entities = _terms(entity_term, graph.entities, triples[:, [0, 2]])
    relations = _terms(relation_term, graph.relations, triples[:, 1])
    for s, r, o in triples.tolist():
        yield Triple(entities[s], relations[r], entities[o])
    label = NamedNode(RDFS_LABEL)
    for terms, vocabulary in ((entities, graph.entities), (relations, graph.relations)):
        for id, term in terms.items():
            if text := vocabulary.label(id):
                yield Triple(term, label, Literal(text))


def _terms(make: Callable[[str], _Term], vocabulary: Vocabulary, ids: Ids) -> dict[int, _Term]:
    return {id: make(vocabulary.name(id)) for id in np.unique(ids).tolist()}
