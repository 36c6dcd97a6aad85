"""Predicted or accepted facts as files that others read: TSV, Parquet and N-Triples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal

import polars as pl

from tucker.errors import TuckerError
from tucker.files import whole_file
from tucker.graph import Graph

FactFormat = Literal["tsv", "parquet", "nt"]
Annotation = Literal["star", "reified", "none"]

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PROBABILITY = "urn:tucker:probability"
_PARTS = ("subject", "relation", "object")


def facts_table(facts: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return facts, such as `predict --json` prints them, as a table with their probability."""
    rows = []
    for number, fact in enumerate(facts, start=1):
        chance = fact.get("probability") if isinstance(fact, Mapping) else None
        names = [fact.get(part) for part in _PARTS] if isinstance(fact, Mapping) else [None]
        number_or_none = isinstance(chance, float | int | None) and not isinstance(chance, bool)
        if not all(isinstance(name, str) and name for name in names) or not number_or_none:
            raise TuckerError(
                f"fact {number} is incomplete: it needs the names of a subject, a relation and an "
                "object, and may have a probability"
            )
        if chance is not None and not 0 <= chance <= 1:  # not a number is neither
            raise TuckerError(f"fact {number} has the probability {chance!r}: give 0 to 1")
        for name in names:
            if any("\ud800" <= letter <= "\udfff" for letter in str(name)):
                raise TuckerError(f"fact {number} has the name {name!r}, half of a surrogate pair")
        rows.append((*names, chance))
    schema = {**dict.fromkeys(_PARTS, pl.String), "probability": pl.Float64}
    return pl.DataFrame(rows, schema, orient="row")


def check_names(table: pl.DataFrame, graph: Graph) -> None:
    """Refuse a fact with a name that the graph does not have."""
    for part in _PARTS:
        vocabulary = graph.relations if part == "relation" else graph.entities
        for name in table[part].unique(maintain_order=True):
            vocabulary.id(name)


def write_facts(
    table: pl.DataFrame, path: Path | str, format: FactFormat, *, annotation: Annotation = "star"
) -> None:
    """Write facts by name and, where they have one, the probability of each.

    In N-Triples the probability stands on a statement about the fact: RDF 1.2's `rdf:reifies`
    ("star"), or an `rdf:Statement` that older readers know as well ("reified").
    """
    with whole_file(Path(path)) as temporary, temporary.open("wb") as file:
        write_facts_to(file, table, format, annotation=annotation)


def write_facts_to(
    file: BinaryIO, table: pl.DataFrame, format: FactFormat, *, annotation: Annotation = "star"
) -> None:
    """Write facts as `write_facts` does, into an open file."""
    if format == "nt":
        from pyoxigraph import RdfFormat, serialize  # noqa: PLC0415 - only RDF pays for it

        serialize(_statements(table, annotation), file, RdfFormat.N_TRIPLES)
    elif format == "parquet":
        table.write_parquet(file)
    else:
        for part in _PARTS:
            broken = table[part].filter(table[part].str.contains(r"[\t\n\r]"))
            if len(broken):
                raise TuckerError(
                    f"the name {broken[0]!r} has a tab or a line end, which TSV cannot hold: "
                    "choose another format"
                )
        table.write_csv(file, separator="\t", quote_style="never")


def _statements(table: pl.DataFrame, annotation: Annotation) -> Iterator[Any]:
    from pyoxigraph import BlankNode, Literal, NamedNode, Triple  # noqa: PLC0415

    from tucker.graph.formats.terms import entity_term, relation_term  # noqa: PLC0415

    node = "tucker-fact"
    while any(table[end].str.starts_with(f"_:{node}-").any() for end in ("subject", "object")):
        node += "-about"  # a statement must have the name of no entity
    for number, (s, r, o, chance) in enumerate(table.iter_rows(), start=1):
        fact = Triple(entity_term(s), relation_term(r), entity_term(o))
        yield fact
        if chance is None or annotation == "none":
            continue
        statement = BlankNode(f"{node}-{number}")
        if annotation == "star":
            yield Triple(statement, NamedNode(_RDF + "reifies"), fact)
        else:
            yield Triple(statement, NamedNode(_RDF + "type"), NamedNode(_RDF + "Statement"))
            yield Triple(statement, NamedNode(_RDF + "subject"), fact.subject)
            yield Triple(statement, NamedNode(_RDF + "predicate"), fact.predicate)
            yield Triple(statement, NamedNode(_RDF + "object"), fact.object)
        yield Triple(statement, NamedNode(PROBABILITY), Literal(float(chance)))
