"""Names as RDF terms and back, so that any name can go through RDF unchanged."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote

from pyoxigraph import BlankNode, NamedNode

_BLANK = "_:"
_OWN = "urn:tucker:"  # then the percent-encoded name, where the name itself is not an IRI
_OWN_CHARACTERS = re.compile(r"(?:%[0-9A-F]{2}|[A-Za-z0-9_.~-])*")


def entity_term(name: str) -> NamedNode | BlankNode:
    """Return the term of an entity: a blank node for `_:id`, else an IRI."""
    if name.startswith(_BLANK):
        try:
            node = BlankNode(name.removeprefix(_BLANK))
        except ValueError:
            return relation_term(name)
        if f"{_BLANK}{node.value}" == name:
            return node
    return relation_term(name)


def relation_term(name: str) -> NamedNode:
    """Return the IRI of a name: the name itself where it is one, else one that encodes it."""
    if not name.startswith(_OWN):
        try:
            return NamedNode(name)
        except ValueError:
            pass
    return NamedNode(_OWN + quote(name, safe=""))


@lru_cache(maxsize=1 << 16)  # the same names come again and again, and decoding is slow
def iri_name(iri: str) -> str:
    """Return the name that an IRI stands for: its own text, unless it encodes another name."""
    if not iri.startswith(_OWN):
        return iri
    encoded = iri.removeprefix(_OWN)
    if not encoded or not _OWN_CHARACTERS.fullmatch(encoded):
        return iri
    try:
        name = unquote(encoded, errors="strict")
    except UnicodeDecodeError:
        return iri
    return name if name.strip() else iri


def blank_name(id: str) -> str:
    """Return the name of a blank node."""
    return _BLANK + id
