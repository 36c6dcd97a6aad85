"""A graph written anew: one file split into three, or the same facts in another format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tucker.errors import GraphError
from tucker.graph.formats.write import write_graph, write_triples
from tucker.graph.graph import Graph
from tucker.graph.load import load_graph
from tucker.graph.stats import count_labels

_KEEP_LABELS = (".nt", ".ttl")


def split_graph(
    source: str | Path,
    out: str | Path,
    *,
    valid: float = 0.1,
    test: float = 0.1,
    seed: int = 0,
) -> Graph:
    """Split one file of facts into a new folder of train, valid and test files.

    Every name of valid and test occurs in train too. Returns the graph that was written.

    >>> graph = tucker.split_graph("facts.tsv", "facts", valid=0.05, test=0.05)
    >>> len(graph.test)
    """
    if not Path(source).is_file():
        raise GraphError(f"{source} is not a file; give one file of facts to split")
    _refuse_existing(out)
    graph = load_graph(Path(source), seed=seed, valid=valid, test=test)
    write_graph(graph, Path(out))
    return graph


def convert_graph(source: str | Path, out: str | Path, *, format: str | None = None) -> Graph:
    """Write a graph in another format, and return the graph that was written.

    A single file becomes a single file, whose extension says the format. A folder of splits, or a
    named dataset, becomes a folder of files in `format`: tsv (which is the default), csv, parquet,
    nt or ttl.

    >>> tucker.convert_graph("facts.ttl", "facts.tsv")
    >>> tucker.convert_graph("world", "world-rdf", format="nt")
    """
    out = Path(out)
    single = Path(source).is_file()
    _refuse_existing(out)
    if single and format:
        raise GraphError("--format is for folders; the name of the new file says its format")
    graph = load_graph(source, valid=0, test=0)
    if not single:
        write_graph(graph, out, extension=format or "tsv")
        return graph
    write_triples(out, graph, graph.known)
    labels = count_labels(graph)
    if not labels or out.name.removesuffix(".gz").endswith(_KEEP_LABELS):
        return graph
    lost = f"{labels:,} labels are not in a single table; .nt or .ttl keep them"
    return replace(graph, notes=(*graph.notes, lost))


def _refuse_existing(out: str | Path) -> None:
    if Path(out).exists():
        raise GraphError(f"{out} exists already; choose another name")
