"""The named benchmark graphs: where they are now, and how to get them."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any

from tucker.errors import DatasetError
from tucker.graph.datasets.catalogue import DATASETS, Dataset
from tucker.graph.datasets.fetch import Progress, fault, fetch_files
from tucker.graph.graph import SPLITS

DATA = "TUCKER_DATA"  # the folder of datasets that the user keeps


def dataset_name(name: str) -> str | None:
    """Return a dataset's own spelling of its name, or None if there is no such dataset."""
    return next((known for known in DATASETS if known.casefold() == name.casefold()), None)


def find_dataset(name: str, progress: Progress | None = None) -> Path:
    """Return the folder of a named dataset: of $TUCKER_DATA, of the cache, or fetched into it."""
    dataset = _dataset(name)
    folder = _data_folder(dataset)
    if folder is not None:
        for file in dataset.files:
            if problem := fault(folder / file.name, file):
                advice = f"get it from {dataset.home} or unset {DATA}"
                raise DatasetError(f"{folder / file.name} {problem}; {advice}")
        return folder
    return fetch_dataset(name, progress)


def fetch_dataset(name: str, progress: Progress | None = None) -> Path:
    """Fetch what the user's cache lacks of a named dataset, and return its folder there.

    `progress` is called with a file, the bytes of it that are here, and those it will have.

    >>> tucker.fetch_dataset("WN18RR")
    """
    dataset = _dataset(name)
    folder = _cache_folder(dataset)
    fetch_files(dataset, folder, progress)
    return folder


def list_datasets() -> list[dict[str, Any]]:
    """Return a row a dataset: its counts, licence and home, and where it is now.

    >>> [row["name"] for row in tucker.list_datasets()]
    """
    rows = []
    for dataset in DATASETS.values():
        where, folder = _place(dataset)
        rows.append(
            {
                "name": dataset.name,
                "triples": dict(zip(SPLITS, dataset.triples, strict=True)),
                "entities": dataset.entities,
                "relations": dataset.relations,
                "licence": dataset.licence,
                "home": dataset.home,
                "where": where,
                "path": None if folder is None else str(folder),
            }
        )
    return rows


def _dataset(name: str) -> Dataset:
    known = dataset_name(name)
    if known is None:
        folded = {known.casefold(): known for known in DATASETS}
        close = difflib.get_close_matches(name.casefold(), folded, n=2)
        hint = f"did you mean {' or '.join(repr(folded[near]) for near in close)}?" if close else ""
        raise DatasetError(
            f"there is no dataset {name!r}; {hint or 'the datasets are ' + ', '.join(DATASETS)}"
        )
    return DATASETS[known]


def _place(dataset: Dataset) -> tuple[str, Path | None]:
    """Say where a dataset is, by its files' names and sizes alone."""
    folder = _data_folder(dataset)
    if folder is not None:
        return "data", folder
    folder = _cache_folder(dataset)
    if all((folder / file.name).is_file() for file in dataset.files):
        return "cache", folder
    return "not fetched", None


def _data_folder(dataset: Dataset) -> Path | None:
    root = os.environ.get(DATA)
    folder = Path(root) / dataset.name if root else None
    return folder if folder is not None and folder.is_dir() else None


def _cache_folder(dataset: Dataset) -> Path:
    root = os.environ.get("XDG_CACHE_HOME")
    cache = Path(root) if root else Path.home() / ".cache"
    return cache / "tucker" / "datasets" / dataset.name
