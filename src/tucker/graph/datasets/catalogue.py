"""The catalogue of named graphs, read from `catalogue.yaml` beside this file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class DataFile:
    """One file of a dataset, and how to know its bytes."""

    name: str
    size: int
    sha256: str
    git_blob: str | None = None  # another copy that is as good, known by its id in git


@dataclass(frozen=True)
class Dataset:
    """A named graph with its published split."""

    name: str
    triples: tuple[int, int, int]  # lines of train, valid and test
    entities: int
    relations: int
    licence: str
    home: str  # a page to read
    address: str  # a folder to fetch the files from
    files: tuple[DataFile, ...]


def _dataset(name: str, entry: dict[str, Any]) -> Dataset:
    files = tuple(DataFile(file, **about) for file, about in entry["files"].items())
    return Dataset(name, **{**entry, "triples": tuple(entry["triples"]), "files": files})


_CATALOGUE = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))

DATASETS = {name: _dataset(name, entry) for name, entry in _CATALOGUE.items()}
