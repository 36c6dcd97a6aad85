"""Embeddings or facts of a run, written for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast, get_args

from tucker.errors import FileError, SettingsError
from tucker.prediction import Prediction, Scored
from tucker.prediction.embeddings import EmbeddingFormat, relations_beside, write_embeddings
from tucker.prediction.export import Annotation, FactFormat, check_names, facts_table, write_facts
from tucker.runs import FinishedRun

Fact = Prediction | Scored | Mapping[str, Any]
"""A fact that was predicted or scored, or what `as_dict` gives of it."""


def export(
    run: FinishedRun,
    path: Path,
    format: EmbeddingFormat | FactFormat,
    facts: Iterable[Fact] | None,
    annotation: Annotation,
) -> list[Path]:
    """Write the embeddings of a run, or facts if any are given, and return the new files."""
    for file in (path, relations_beside(path)) if format == "word2vec" else (path,):
        if file.exists():
            raise FileError(file, "exists already; choose another name")
    what = "embeddings" if facts is None else "facts"
    fitting = get_args(EmbeddingFormat if facts is None else FactFormat)
    if format not in fitting:
        raise SettingsError(f"--format {format} is not for {what}: choose {' or '.join(fitting)}")
    if facts is None:
        return write_embeddings(run, path, cast("EmbeddingFormat", format))
    table = facts_table(map(_said, facts))
    check_names(table, run.graph)
    write_facts(table, path, cast("FactFormat", format), annotation=annotation)
    return [path]


def _said(fact: Fact) -> Mapping[str, Any]:
    if isinstance(fact, Scored):
        return fact.fact.as_dict()
    return fact.as_dict() if isinstance(fact, Prediction) else fact
