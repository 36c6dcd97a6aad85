"""The same facts as files of every form: format, order of lines, facts given twice."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, serialize

Facts = Sequence[tuple[str, str, str]]


def iri_facts() -> list[tuple[str, str, str]]:
    """Return 120 facts of 20 things whose names are IRIs, in no order."""
    things = [f"http://example.org/thing/{i}" for i in range(20)]
    facts = [
        (subject, f"http://example.org/{relation}", things[(i + step) % len(things)])
        for i, subject in enumerate(things)
        for relation, steps in {"knows": (1, 2, 3), "likes": (2, 5), "fears": (7,)}.items()
        for step in steps
    ]
    random.Random(0).shuffle(facts)
    return facts


def _table(folder: Path, facts: Facts, name: str) -> Path:
    path = folder / name
    frame = pl.DataFrame(list(facts), ["subject", "relation", "object"], orient="row")
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="," if path.suffix == ".csv" else "\t")
    return path


def _shuffled(folder: Path, facts: Facts, name: str) -> Path:
    return _table(folder, random.Random(1).sample(facts, len(facts)), name)


def _doubled(folder: Path, facts: Facts, name: str) -> Path:
    return _table(folder, [*facts[50:], *facts[:70], *facts[::3]], name)


def _rdf(folder: Path, facts: Facts, name: str) -> Path:
    path = folder / name
    triples = [Triple(*map(NamedNode, fact)) for fact in facts]
    serialize(triples, str(path), format=RdfFormat.from_extension(path.suffix[1:]))
    return path


def _in_two_graphs(folder: Path, facts: Facts, name: str) -> Path:
    """Half of the facts stand in one named graph, the others and some of these in another."""
    path = folder / name
    one, two = NamedNode("http://example.org/one"), NamedNode("http://example.org/two")
    quads = [Quad(*map(NamedNode, fact), one) for fact in facts[:60]]
    quads += [Quad(*map(NamedNode, fact), two) for fact in facts[40:]]
    serialize(quads, str(path), format=RdfFormat.from_extension(path.suffix[1:]))
    return path


FORMS: dict[str, Callable[[Path, Facts, str], Path]] = {
    "facts.tsv": _table,
    "shuffled.tsv": _shuffled,
    "doubled.tsv": _doubled,
    "facts.csv": _shuffled,
    "facts.parquet": _shuffled,
    "facts.nt": _rdf,
    "facts.ttl": _rdf,
    "facts.rdf": _rdf,
    "facts.nq": _in_two_graphs,
    "facts.trig": _in_two_graphs,
}
"""How to write facts as a file of each name."""
