"""Which entities can be new answers to a question."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.graph import Answers, Graph, Ids
from tucker.graph.schema.types import loops

NONE = -1  # in the place of an entity


class NewAnswers:
    """Says which entities are candidates: not known to answer, and not the one asked about.

    An entity may answer a question about itself if the relation is known to hold so of any.
    """

    def __init__(self, graph: Graph, known: Ids | None = None) -> None:
        self.n_e, self.n_r = graph.n_e, graph.n_r
        facts = graph.known if known is None else known
        self._known = Answers.of(facts, graph.n_e, graph.n_r)
        self._loops = torch.from_numpy(loops(graph))

    def __call__(self, s: Tensor, r: Tensor, o: Tensor | None = None) -> Tensor:
        """Return whether each entity is a candidate for each question (s, r, ?), (rows, n_e).

        With `o`, (rows,), facts are judged: (s, r, o) is taken as not known. A row whose o is
        NONE is a question as any other.
        """
        new = torch.ones(len(s), self.n_e, dtype=torch.bool)
        new[tuple(map(torch.from_numpy, self._known.find(s.numpy(), r.numpy())))] = False
        if o is not None:
            judged = (o != NONE).nonzero().flatten()
            new[judged, o[judged]] = True
        new[torch.arange(len(s)), s] &= self._loops[r % self.n_r]
        return new
