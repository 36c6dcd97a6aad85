"""What every model shares: embeddings, and scores derived from one `query`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tucker.errors import SettingsError
from tucker.models.groups import Groups


@dataclass(frozen=True, eq=False)
class Relations:
    """The relations of some rows, looked up and made ready once a group."""

    groups: Groups
    w_r: Tensor  # (groups, d_r)
    operators: Tensor  # (groups, ...) what each does to a subject: `w_r` or what is formed of it


class Model(nn.Module, ABC):
    """A scoring function φ(s, r, o) over ids, stated once as the query that meets every object.

    `n_r` counts the rows of R: with reciprocal relations, twice the relations of the graph.
    """

    E: nn.Parameter  # (n_e, d_e)
    R: nn.Parameter  # (n_r, d_r)
    meets_by_product: ClassVar[bool] = True  # False where `meet` is overridden
    scores_are_queries: bool = False  # True where a query holds the score of every entity
    knows_entities: ClassVar[bool] = True  # False where nothing is learned of an entity itself
    blocks: int = 1  # independent parts whose scores add up, where a model has several
    fully_expressive: ClassVar[bool] = False  # True where it is proven to fit any facts, if large

    def __init__(self, *, n_e: int, n_r: int) -> None:
        super().__init__()
        self.n_e = n_e
        self.n_r = n_r

    @abstractmethod
    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return the vectors whose dot product with e_o is the score of o, (rows, d_e).

        `e_s` has a row a question, (rows, d_e); `w_r` one a group of them, (groups, d_r), or in its
        place what `operators` makes of it.
        """

    def operators(self, w_r: Tensor) -> Tensor:
        """Return what each relation does to a subject, if that is costly to form: else `w_r`."""
        return w_r

    @property
    def embedding(self) -> Model:
        """The model of vectors alone: itself, unless something else speaks beside it."""
        return self

    def check_vectors(self) -> None:
        """Refuse what needs the vectors of entities where there are none."""
        if not self.knows_entities:
            name = type(self).__name__
            raise SettingsError(f"{name} has no vectors of entities: it follows paths alone")

    def take_facts(self, triples: Tensor) -> None:
        """Be told the facts to learn from, (facts, 3), no reciprocals; most models need not know.

        Called before training, and again when a run is loaded, with the training split alone.
        """

    def entities(self) -> Tensor:
        """Return the vector of every entity as a subject: E itself, unless a model computes it."""
        return self.E

    def objects(self, entities: Tensor) -> Tensor:
        """Return the vector of every entity as an object, what queries meet: the same as a rule."""
        return entities

    def queries(
        self, s: Tensor, r: Tensor, group_size: int = 64, entities: Tensor | None = None
    ) -> Tensor:
        """Return the query of each (s, r), (rows, d_e); `entities()` may be given if at hand."""
        entities = self.entities() if entities is None else entities
        return self.ask(s, self.relations(r, group_size), entities)

    def relations(self, r: Tensor, group_size: int = 64) -> Relations:
        """Gather rows by their relation, at most so many a group, and make the relations ready."""
        groups = Groups.of(r, group_size)
        w_r = F.embedding(groups.relation, self.R)
        return Relations(groups, w_r, self.operators(w_r))

    def ask(self, s: Tensor, relations: Relations, entities: Tensor) -> Tensor:
        """Return the query of each subject with its relation, (rows, d_e)."""
        # Sparse, so that the gradient of a few rows is no dense (n_e, d_e) matrix.
        e_s = F.embedding(s, entities, sparse=entities.is_leaf)
        return self.query(e_s, relations.operators, relations.groups)

    def ask_blind(
        self, s: Tensor, relations: Relations, entities: Tensor, rows: Tensor, objects: Tensor
    ) -> Tensor:
        """Return queries to learn from, whose answers, by row, the model must not look up."""
        return self.ask(s, relations, entities)

    def meet(self, q: Tensor, objects: Tensor, out: Tensor | None = None) -> Tensor:
        """Return the score of each object as the answer to each query, (objects, rows).

        They are the caller's to write over, and in `out` if it is given.
        """
        return torch.mm(objects, q.T, out=out)

    def meet_one(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return the score of one object a query, (rows,)."""
        return (q * e_o).sum(-1)

    def score_objects(self, s: Tensor, r: Tensor, entities: Tensor | None = None) -> Tensor:
        """Return φ(s, r, o) of every entity o, (rows, n_e); `entities()` may be given."""
        entities = self.entities() if entities is None else entities
        return self.meet(self.queries(s, r, entities=entities), self.objects(entities)).T

    def score(self, s: Tensor, r: Tensor, o: Tensor, entities: Tensor | None = None) -> Tensor:
        """Return φ(s, r, o) of each triple, (rows,); `entities()` may be given."""
        entities = self.entities() if entities is None else entities
        return self.meet_one(self.queries(s, r, entities=entities), self.objects(entities)[o])

    def count_parameters(self) -> int:
        """Return how many numbers the model learns."""
        return sum(parameter.numel() for parameter in self.parameters())
