"""A knowledge graph in memory: two vocabularies and three splits of id triples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from tucker.graph.answers import Answers
from tucker.graph.vocabulary import Vocabulary

Ids = npt.NDArray[np.int64]
"""Ids, or (n, 3) triples of them: subject, relation, object."""

Split = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = ("train", "valid", "test")

NEWEST_SPLIT = 2
"""How one file is divided: 2 by its facts and the seed alone, 1 also by the order of its lines."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Facts as id triples, split into what is learned from, chosen by and reported on.

    `load_graph` gives one; `graph.entities.name(0)` is the name of the entity with the id 0.

    >>> graph = tucker.load_graph("world")
    >>> s, r, o = graph.train[0]
    >>> graph.entities.name(s), graph.relations.name(r), graph.entities.name(o)
    """

    name: str  # of the file, folder or dataset
    entities: Vocabulary  # what the entities are called
    relations: Vocabulary  # what the relations are called
    train: Ids  # (n, 3) ids: what a model learns from
    valid: Ids  # what decides, such as when to stop
    test: Ids  # what the final figures are taken on
    notes: tuple[str, ...] = ()  # what reading it merged, left out or found odd, a sentence each
    split_version: int = NEWEST_SPLIT  # 1: one file, divided by the order of its lines

    @property
    def n_e(self) -> int:
        """How many entities there are."""
        return len(self.entities)

    @property
    def n_r(self) -> int:
        """How many relations there are, without their reciprocals."""
        return len(self.relations)

    def split(self, name: Split) -> Ids:
        """Return the triples of one split."""
        return {"train": self.train, "valid": self.valid, "test": self.test}[name]

    @cached_property
    def known(self) -> Ids:
        """All facts of all splits, (n, 3)."""
        return np.concatenate([self.train, self.valid, self.test])

    @cached_property
    def known_answers(self) -> Answers:
        """The answers to every question that the facts of all splits give."""
        return Answers.of(self.known, self.n_e, self.n_r)

    def codes(self, triples: Ids) -> Ids:
        """Return a number for each triple, (n,): facts are the same if their numbers are."""
        return np.asarray(np.ravel_multi_index(tuple(triples.T), (self.n_e, self.n_r, self.n_e)))

    def answers_known_at(self, split: Split) -> Ids:
        """Return the facts to leave out when ranking a split: those of it and of the ones before.

        What is chosen on the validation split must not depend on the test split.
        """
        return np.concatenate([self.split(one) for one in SPLITS[: SPLITS.index(split) + 1]])

    def known_before(self, split: Split) -> Ids:
        """Return the facts of the splits before one: there, its own are still to be found."""
        earlier = [self.split(one) for one in SPLITS[: SPLITS.index(split)]]
        return np.concatenate([self.train[:0], *earlier])

    @cached_property
    def seen(self) -> npt.NDArray[np.bool_]:
        """Whether each entity occurs in training, (n_e,)."""
        seen = np.zeros(self.n_e, dtype=np.bool_)
        seen[self.train[:, 0]] = True
        seen[self.train[:, 2]] = True
        return seen
