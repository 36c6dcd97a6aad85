"""Decided facts as files: tab-separated names, or N-Triples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyoxigraph import RdfFormat, Triple, serialize

from tucker.errors import TuckerError
from tucker.graph.terms import entity_term, relation_term

_COLUMNS = ("subject", "relation", "object")


def as_tsv(decisions: Iterable[Mapping[str, Any]]) -> bytes:
    """Return a line a fact, under a header: what `tucker train` reads as a graph."""
    lines = ["\t".join(_COLUMNS)]
    for decision in decisions:
        names = [str(decision[column]) for column in _COLUMNS]
        broken = [name for name in names if any(c in name for c in "\t\n\r")]
        if broken:
            raise TuckerError(f"the name {broken[0]!r} has a tab or a line end; export N-Triples")
        lines.append("\t".join(names))
    return "".join(f"{line}\n" for line in lines).encode()


def as_ntriples(decisions: Iterable[Mapping[str, Any]]) -> bytes:
    """Return a statement a fact; names that are no IRIs become ones that read back as they were."""
    statements = (
        Triple(
            entity_term(decision["subject"]),
            relation_term(decision["relation"]),
            entity_term(decision["object"]),
        )
        for decision in decisions
    )
    return serialize(statements, format=RdfFormat.N_TRIPLES) or b""
