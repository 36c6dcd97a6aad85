"""The embeddings of a run as files for other programs: Parquet, NPZ and word2vec text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tucker.files import whole_file
from tucker.graph import Vocabulary
from tucker.runs.run import FinishedRun

EmbeddingFormat = Literal["parquet", "npz", "word2vec"]
_Vectors = NDArray[np.float32]


def write_embeddings(run: FinishedRun, path: Path | str, format: EmbeddingFormat) -> list[Path]:
    """Write the vectors of entities and relations, and return the files.

    Relations come with their reciprocals, named `NAME⁻¹`, whose rows follow them in R. Text has one
    width a file, so the relations of word2vec get a file of their own.
    """
    path = Path(path)
    run.model.embedding.check_vectors()
    entities, relations = run.graph.entities, run.graph.relations
    backwards = Vocabulary("relation", relations.names + "⁻¹", relations.labels)
    of_relation = run.model.R.detach().numpy().reshape(run.model.n_r, -1)
    tables = [
        ("entity", entities, run.model.entities().detach().numpy()),
        ("relation", relations, of_relation[: len(relations)]),
        ("relation", backwards, of_relation[len(relations) :]),
    ]
    return _WRITERS[format](path, tables)


def relations_beside(path: Path) -> Path:
    """Return the file of the relations that word2vec has beside that of the entities."""
    return path.with_name(f"{path.stem}.relations{path.suffix}")


_Tables = list[tuple[str, Vocabulary, _Vectors]]


def _write_parquet(path: Path, tables: _Tables) -> list[Path]:
    """Write a row a vector: kind, name, label, vector."""
    frames = [
        pl.DataFrame(
            {
                "kind": [kind] * len(vocabulary),
                "name": vocabulary.names,
                "label": _labels(vocabulary),
                "vector": pl.Series(vectors).cast(pl.List(pl.Float32)),
            }
        )
        for kind, vocabulary, vectors in tables
    ]
    with whole_file(path) as temporary:
        pl.concat(frames).write_parquet(temporary)
    return [path]


def _write_npz(path: Path, tables: _Tables) -> list[Path]:
    """Write four arrays: entities and relations, a row a vector, and the names of each."""
    (_, entities, E), *of_relations = tables
    names = pl.concat([vocabulary.names for _, vocabulary, _ in of_relations])
    with whole_file(path) as temporary, temporary.open("wb") as file:
        np.savez(
            file,
            entities=E,
            entity_names=np.array(entities.names.to_list(), dtype=np.str_),
            relations=np.concatenate([vectors for *_, vectors in of_relations]),
            relation_names=np.array(names.to_list(), dtype=np.str_),
        )
    return [path]


def _write_word2vec(path: Path, tables: _Tables) -> list[Path]:
    """Write `count width`, then a line a vector: its name and its numbers, with single spaces."""
    beside = relations_beside(path)
    _write_lines(path, tables[:1])
    _write_lines(beside, tables[1:])
    return [path, beside]


def _write_lines(path: Path, tables: _Tables) -> None:
    rows = sum(len(vectors) for *_, vectors in tables)
    with whole_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"{rows} {tables[0][2].shape[1]}\n")
        for _, vocabulary, vectors in tables:
            for name, vector in zip(vocabulary.names, vectors, strict=True):
                file.write(f"{_word(name)} {' '.join(map(str, vector.tolist()))}\n")


def _word(name: str) -> str:
    """Return a name without white space: `%` and white space percent-encoded, as in a URL."""
    return re.sub(r"[%\s]", lambda found: quote(found[0]), name)


def _labels(vocabulary: Vocabulary) -> pl.Series:
    if vocabulary.labels is not None:
        return vocabulary.labels
    return pl.Series([None] * len(vocabulary), dtype=pl.String)


_WRITERS: dict[str, Callable[[Path, _Tables], list[Path]]] = {
    "parquet": _write_parquet,
    "npz": _write_npz,
    "word2vec": _write_word2vec,
}
