from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch
from hypothesis import settings

from tucker.graph import Graph, Vocabulary

settings.register_profile("tucker", deadline=None)  # the first call of torch takes its time
settings.load_profile("tucker")


def make_graph(n_e: int = 12, n_r: int = 3, facts: int = 90, seed: int = 0) -> Graph:
    """Draw a graph without meaning: every entity and relation occurs in train."""
    random = np.random.default_rng(seed)
    triples = np.unique(
        np.stack([random.integers(n, size=facts) for n in (n_e, n_r, n_e)], axis=1), axis=0
    )
    triples = random.permutation(triples)
    valid, test, train = triples[:8], triples[8:16], triples[16:]
    ring = np.stack([np.arange(n_e), np.arange(n_e) % n_r, (np.arange(n_e) + 1) % n_e], axis=1)
    train = np.unique(np.concatenate([train, ring]), axis=0)
    return Graph(
        name="drawn",
        entities=Vocabulary("entity", pl.Series([f"e{i}" for i in range(n_e)])),
        relations=Vocabulary("relation", pl.Series([f"r{i}" for i in range(n_r)])),
        train=train,
        valid=valid,
        test=test,
    )


def write_people(
    folder: Path,
    odd_names: Sequence[str],
    labels: dict[str, str],
    relations: Sequence[str] = ("knows", "likes", "follows"),
) -> Path:
    """Write 20 people who know, like and follow others round a ring, and some labels."""
    people = [*(f"p{i}" for i in range(20 - len(odd_names))), *odd_names]
    facts = [
        (subject, relation, people[(i + step) % len(people)])
        for i, subject in enumerate(people)
        for relation, steps in zip(relations, ((1, 2, 3), (2, 5), (1, 4)), strict=True)
        for step in steps
    ]
    path = folder / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    lines = "".join(f"{name}\t{label}\n" for name, label in labels.items())
    (folder / "labels.tsv").write_text(lines, encoding="utf-8")
    return path


@pytest.fixture
def three_threads() -> Iterator[None]:
    """Let torch compute with three threads, whatever the machine has."""
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def graph() -> Graph:
    return make_graph()


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)
