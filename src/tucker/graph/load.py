"""A graph from a file, a folder, the bundled data or a named dataset."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from tucker.errors import FileError, GraphError
from tucker.graph.datasets.catalogue import DATASETS
from tucker.graph.datasets.find import dataset_name, find_dataset
from tucker.graph.encode import common, distinct, encode, in_order, sorted_names, vocabulary
from tucker.graph.formats.read import FileFacts, extension, read_facts
from tucker.graph.formats.tabular import read_labels
from tucker.graph.graph import NEWEST_SPLIT, SPLITS, Graph, Ids, Split
from tucker.graph.split import split_triples

LABELS = "labels.tsv"
WORLD = Path(__file__).parent / "world"


def load_graph(
    source: str | Path,
    *,
    seed: int = 0,
    valid: float = 0.1,
    test: float = 0.1,
    split_version: int | None = None,
) -> Graph:
    """Load a graph from a folder of splits, a single file, `world` or the name of a dataset.

    A single file is divided with the seed; a folder keeps the division it has. Ids number the
    names in sorted order, and facts stand in the order of their ids: neither the order of the lines
    nor the format decides anything. `split_version=1` divides a single file as runs made before
    did, by the order of its lines.

    >>> graph = tucker.load_graph("facts.tsv")
    >>> graph.n_e, graph.n_r, len(graph.train)
    """
    version = NEWEST_SPLIT if split_version is None else split_version
    if version not in list(_ORDERS):  # it may be anything that YAML has
        raise GraphError(f"split_version is {version!r}; give 2, or 1 for a split as it was before")
    path = Path(source)
    if str(source) and path.is_dir():
        return _load_folder(path, path.resolve().name)
    if str(source) and path.exists():
        return _load_file(path, seed=seed, valid=valid, test=test, version=version)
    if str(source).casefold() == "world":
        return _load_folder(WORLD, "world")
    if (name := dataset_name(str(source))) is not None:
        return _load_folder(find_dataset(name), name)
    raise GraphError(f"there is no file, folder or named dataset {str(source)!r}{_hint(path)}")


def _load_folder(folder: Path, name: str) -> Graph:
    files = split_files(folder)
    facts = [read_facts(files[split]) for split in SPLITS]
    entities, relations, encoded = _encode(facts)
    for fact, triples in zip(facts, encoded, strict=True):
        _check_relations(fact, triples, encoded[0])
    notes = [note for fact in facts for note in fact.notes]
    labels = _labels(folder, facts)
    del facts  # the names are many times the size of the ids
    splits = {
        split: _merged(in_order, triples, split, notes)
        for split, triples in zip(SPLITS, encoded, strict=True)
    }
    notes += overlap_notes(splits)
    notes += unseen_note(splits, len(entities))
    return _graph(name, splits, entities=entities, relations=relations, labels=labels, notes=notes)


def _load_file(path: Path, *, seed: int, valid: float, test: float, version: int) -> Graph:
    facts = read_facts(path)
    entities, relations, (triples,) = _encode([facts])
    notes = list(facts.notes)
    labels = _labels(path.parent, [facts])
    del facts
    triples = _merged(_ORDERS[version], triples, path.name, notes)
    parts = split_triples(triples, valid=valid, test=test, seed=seed)
    notes += held_out_note(len(triples), len(parts[1]) + len(parts[2]), valid, test)
    name = path.name[: -len(extension(path) or "")]
    splits = dict(zip(SPLITS, parts, strict=True))
    graph = _graph(name, splits, entities=entities, relations=relations, labels=labels, notes=notes)
    return replace(graph, split_version=version)


def _graph(
    name: str,
    splits: dict[Split, Ids],
    *,
    entities: pl.Series,
    relations: pl.Series,
    labels: pl.DataFrame | None,
    notes: list[str],
) -> Graph:
    return Graph(
        name=name,
        entities=vocabulary("entity", entities, labels),
        relations=vocabulary("relation", relations, labels),
        train=splits["train"],
        valid=splits["valid"],
        test=splits["test"],
        notes=tuple(notes),
    )


def _encode(facts: Sequence[FileFacts]) -> tuple[pl.Series, pl.Series, list[Ids]]:
    tables = [fact.table for fact in facts]
    entities = sorted_names([table[side] for table in tables for side in ("subject", "object")])
    relations = sorted_names([table["relation"] for table in tables])
    return entities, relations, encode(tables, entities, relations)


_Order = Callable[[Ids], Ids]
_ORDERS: dict[int, _Order] = {1: distinct, 2: in_order}  # by version of the split


def _merged(order: _Order, triples: Ids, where: str, notes: list[str]) -> Ids:
    kept = order(triples)
    notes += merged_note(where, len(triples) - len(kept))
    return kept


def _check_relations(facts: FileFacts, triples: Ids, train: Ids) -> None:
    """Refuse a relation that train lacks: nothing can be learned of it."""
    unseen = ~np.isin(triples[:, 1], np.unique(train[:, 1]))
    if unseen.any():
        row = int(np.argmax(unseen))
        relation = facts.table["relation"][row]
        message = f"the relation {relation!r} does not occur in train; add facts of it there"
        raise FileError(facts.path, message, facts.line(row))


def _labels(folder: Path, facts: Sequence[FileFacts]) -> pl.DataFrame | None:
    """Return one label a name, that of the labels file before those of the facts."""
    path = folder / LABELS
    found = [read_labels(path)] if path.is_file() else []
    found += [fact.labels for fact in facts if fact.labels is not None]
    return pl.concat(found).unique("name", keep="first", maintain_order=True) if found else None


def _hint(path: Path) -> str:
    """Return the names most like a mistyped one: of datasets, and of files where it would be."""
    beside = [str(path.parent / near.name) for near in path.parent.glob("*")]
    known = {name.casefold(): name for name in [*beside, "world", *DATASETS]}
    close = difflib.get_close_matches(str(path).casefold(), known, n=3, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(repr(known[name]) for name in close)}?"
    return f"; give a path, or one of {', '.join(['world', *DATASETS])}"


_NAMES: dict[str, Split] = {
    "train": "train",
    "valid": "valid",
    "validation": "valid",
    "val": "valid",
    "dev": "valid",
    "test": "test",
}


def split_files(folder: Path) -> dict[Split, Path]:
    """Return the train, valid and test file of a folder, or refuse it and say what it lacks."""
    found: dict[Split, Path] = {}
    for path in sorted(folder.iterdir()):
        split = split_of(path)
        if split is None:
            continue
        if split in found:
            two = f"{found[split].name} and {path.name}"
            raise GraphError(f"{folder}: {two} are both the {split} split; leave one of them")
        found[split] = path
    missing = [split for split in SPLITS if split not in found]
    if missing:
        raise GraphError(_incomplete(folder, list(found.values()), missing))
    return {split: found[split] for split in SPLITS}


def split_of(path: Path) -> Split | None:
    """Return the split that a file of this name holds, or None if it holds none."""
    kind = extension(path)
    if kind is None or not path.is_file():
        return None
    return _NAMES.get(path.name[: -len(kind)].lower())


def _incomplete(folder: Path, found: list[Path], missing: list[Split]) -> str:
    have = " and ".join(path.name for path in found) or _others(folder)
    lack = " and ".join(missing)
    advice = f"add {'it' if len(missing) == 1 else 'them'}, or give one file to have it split"
    return f"{folder}: found {have} but no {lack} split; {advice}"


def _others(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if not names:
        return "nothing"
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def merged_note(where: str, repeated: int) -> list[str]:
    """Tell of facts that stand more than once in one split."""
    return [f"Merged {_count(repeated, 'repeated triple')} of {where}."] if repeated else []


def overlap_notes(splits: Mapping[Split, Ids]) -> list[str]:
    """Tell of held-out facts that training sees: they make the results look too good."""
    notes = []
    for split in ("valid", "test"):
        if shared := common(splits[split], splits["train"]):
            stand = "is" if shared == 1 else "are"
            notes.append(
                f"Warning: {_count(shared, 'triple')} of {split} {stand} also in train "
                f"and kept in both."
            )
    return notes


def unseen_note(splits: Mapping[Split, Ids], n_e: int) -> list[str]:
    """Tell of entities that train never mentions: a model knows nothing of them."""
    seen = np.zeros(n_e, dtype=np.bool_)
    seen[splits["train"][:, [0, 2]]] = True
    unseen = int((~seen).sum())
    kept = _count(unseen, "entity", "entities")
    return [f"Kept {kept} of valid or test that train never mentions."] if unseen else []


def held_out_note(count: int, held: int, valid: float, test: float) -> list[str]:
    """Tell of a graph too sparse to hold out as many facts as were asked for."""
    wanted = round(count * valid) + round(count * test)
    if held >= wanted:
        return []
    return [
        f"Held out {_count(held, 'triple')} where {wanted:,} were asked for: each of the others "
        f"is the first to mention an entity or a relation."
    ]


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
