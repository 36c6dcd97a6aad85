"""Facts and labels from RDF and to it: N-Triples, N-Quads, Turtle, TriG and RDF/XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TypeVar

import numpy as np
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    RdfFormat,
    Triple,
    parse,
    serialize,
)

from tucker.errors import FileError
from tucker.graph.formats.content import is_gzipped, open_content
from tucker.graph.formats.file_facts import FileFacts
from tucker.graph.formats.statements import ALL_NAMED, RDFS_LABEL, Collector, StatementError
from tucker.graph.formats.terms import entity_term, relation_term
from tucker.graph.graph import Graph, Ids
from tucker.graph.vocabulary import Vocabulary

_Term = TypeVar("_Term", bound=NamedNode | BlankNode)

_FORMATS = {
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".ttl": RdfFormat.TURTLE,
    ".trig": RdfFormat.TRIG,
    ".rdf": RdfFormat.RDF_XML,
}


def read_rdf(path: Path) -> FileFacts:
    """Read the facts between resources and the labels of an RDF file.

    Literals other than labels are no facts and are left out, with a note of how many. A fact that
    the file describes, as an rdf:Statement or by rdf:reifies, is read like one that it asserts.
    """
    collector = Collector(path.name)
    with open_content(path) as content:
        try:
            for quad in parse(content, format=rdf_format(path)):
                collector.add(quad)
            table = collector.table()
        except StatementError as error:
            raise FileError(path, str(error), _line_of(path, error.node)) from error
        except SyntaxError as error:
            reason = re.sub(r"^Parser error .*?: ", "", error.msg)
            column = f" at column {error.offset}" if error.offset else ""
            message = f"is not well-formed RDF{column}: {reason}"
            raise FileError(path, message, error.lineno) from error
    if table.is_empty():
        raise FileError(path, "holds no facts between two resources")
    return FileFacts(path, table, collector.label_table(), collector.notes())


def rdf_format(path: Path) -> RdfFormat:
    """Return the RDF format that a file's extension names."""
    suffix = path.with_suffix("").suffix if is_gzipped(path) else path.suffix
    return _FORMATS[suffix.lower()]


def _line_of(path: Path, node: str) -> int | None:
    """Return the first line about a node in a format of one statement a line, else None."""
    if not path.name.lower().endswith(ALL_NAMED):
        return None
    term = str(entity_term(node)).encode()
    with open_content(path) as content:
        lines = enumerate(content, start=1)
        return next((number for number, line in lines if line.split(None, 1)[:1] == [term]), None)


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
