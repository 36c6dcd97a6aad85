"""The path network: a question's subject tells its neighbours, they tell theirs, and so on."""

from __future__ import annotations

from typing import ClassVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tucker.errors import SettingsError
from tucker.graph import Answers, Ids
from tucker.models.base import Model, Relations
from tucker.models.groups import Groups
from tucker.reasoning.edges import Edges
from tucker.reasoning.messages import Links, Reach, Truths, heard

_MOST_ENTITIES = 1 << 24  # whole numbers that float32 tells apart


class PathNetwork(Model):
    """φ(s, r, o) = f(h_o, q), with q = w_r ∈ R^d, B_rt ∈ R^{d²}; space O(T n_r d²).

    h_o is what o has heard after T steps from the subject; nothing is known of an entity itself. At
    first h_s = q, and 0 elsewhere. In each step, with N(o) the edges (u, p, o),

        m_o = (Σ_N(o) h_u ⊙ w_p(q) + [o = s] q) / √(1 + |N(o)|),
        h_o ← h_o + ReLU(LayerNorm(A [h_o, m_o])),   w_p(q) = w_p + B_p q,

    with weights of its own in each step. Entities that no path of T steps reaches share one score.
    Where a question reaches more than `most_entities`, it goes on from those that a learned
    priority puts first. The query of a question holds its scores. In the manner of Zhu, Zhang,
    Xhonneux and Tang, "Neural Bellman-Ford Networks", NeurIPS 2021 (h, m and the score); Zhang and
    Yao, "Knowledge Graph Reasoning with Relational Digraph", WWW 2022 (the growing reach); and
    Zhang et al., "AdaProp", KDD 2023 (the priority).
    """

    meets_by_product: ClassVar[bool] = False
    scores_are_queries = True
    knows_entities: ClassVar[bool] = False

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d: int = 32,
        steps: int = 4,
        most_entities: int | None = None,
        dropout: float = 0.1,
        dropout_edges: float = 0.2,
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        if n_e > _MOST_ENTITIES:
            raise SettingsError(
                f"pathnet: {n_e:,} entities are too many; {_MOST_ENTITIES:,} may be"
            )
        self.most_entities, self.dropout_edges = most_entities, dropout_edges
        self.R = nn.Parameter(1 + 0.1 * torch.randn(n_r, d))
        self.steps = nn.ModuleList(_Layer(n_r, d, dropout) for _ in range(steps))
        self.score_of = nn.Sequential(nn.Linear(2 * d, 2 * d), nn.ReLU(), nn.Linear(2 * d, 1))
        self.not_reached = nn.Parameter(torch.zeros(1))
        self.take_facts(torch.empty(0, 3, dtype=torch.long, device="cpu"))

    def take_facts(self, triples: Tensor) -> None:
        """Be told the facts to walk along, (facts, 3), no reciprocals; they are no weights."""
        n_r = self.n_r // 2
        facts = triples.numpy()
        self._links = Links.of(Edges.of(facts, self.n_e, n_r))
        self._every_edge = np.ones(len(self._links), dtype=np.bool_)
        self._known = Answers.of(facts, self.n_e, n_r)
        degree = torch.from_numpy(np.diff(self._links.first))
        self._share = (1 + degree).rsqrt()  # (n_e,)

    def entities(self) -> Tensor:
        """Return the id of every entity in the place of a vector, (n_e, 1)."""
        return torch.arange(self.n_e, dtype=self.R.dtype)[:, None]

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return the scores of all entities for each question, (rows, n_e)."""
        return self._scores(e_s[:, 0].long(), w_r[groups.of_row], self._every_edge)

    def ask(self, s: Tensor, relations: Relations, entities: Tensor) -> Tensor:
        """Return the scores of all entities for each question, (rows, n_e)."""
        return self._scores(s, relations.w_r[relations.groups.of_row], self._every_edge)

    def ask_blind(
        self, s: Tensor, relations: Relations, entities: Tensor, rows: Tensor, objects: Tensor
    ) -> Tensor:
        """Return the scores where the edges of the answers are not walked, (rows, n_e).

        Nor is a share of all other edges. Known answers that are not asked for score −∞.
        """
        r = relations.groups.relation[relations.groups.of_row]
        kept = self._drawn_edges(s[rows].numpy(), r[rows].numpy(), objects.numpy())
        scores = self._scores(s, relations.w_r[relations.groups.of_row], kept)
        known = torch.zeros_like(scores, dtype=torch.bool)
        known[tuple(map(torch.from_numpy, self._known.find(s.numpy(), r.numpy())))] = True
        known[rows, objects] = False
        return scores.masked_fill(known, -torch.inf)

    def meet(self, q: Tensor, objects: Tensor, out: Tensor | None = None) -> Tensor:
        """Return the scores of some objects, (objects, rows): they stand in the queries."""
        return torch.index_select(q.T, 0, objects[:, 0].long(), out=out)

    def meet_one(self, q: Tensor, e_o: Tensor) -> Tensor:
        """Return the score of one object a query, (rows,)."""
        return q.gather(1, e_o.long()).flatten()

    def _drawn_edges(self, s: Ids, r: Ids, o: Ids) -> Truths:
        """Return which edges are walked: not those of some facts, nor a share of all others."""
        links = self._links
        drawn = torch.rand(len(links)).numpy() >= self.dropout_edges
        kept = drawn[np.minimum(np.arange(len(links)), links.twin)]  # both ways alike
        places = links.find(s, r, o)
        kept[places] = kept[links.twin[places]] = False
        return np.asarray(kept)

    def _scores(self, s: Tensor, q: Tensor, kept: Truths) -> Tensor:
        """Return φ(s, r, o) of all entities, (rows, n_e); `q`, (rows, d), stands for relations."""
        near, h = Reach.of(s), q
        for number, step in enumerate(cast("list[_Layer]", list(self.steps)), start=1):
            far = self._links.grown(near, kept)
            m = heard(h, step.weights(q), self._links, kept, near, far)
            m = m.index_add(0, torch.from_numpy(far.start[:-1]), q)
            m = m * self._share[far.entities()][:, None]
            h = step(h.new_zeros(m.shape).index_copy(0, near.within(far), h), m)
            near = far
            if self.most_entities and number < len(self.steps):
                near, h = step.first(near, h, self.most_entities)
        row = near.questions()
        found: Tensor = self.score_of(torch.cat([h, q[row]], dim=1)).flatten()
        scores = self.not_reached.expand(len(s) * self.n_e)
        return scores.index_put((row * self.n_e + near.entities(),), found).view(len(s), self.n_e)


class _Layer(nn.Module):
    """The weights of one step."""

    def __init__(self, n_r: int, d: int, dropout: float) -> None:
        super().__init__()
        self.w = nn.Linear(d, n_r * d)
        nn.init.normal_(self.w.weight, std=0.02)
        nn.init.ones_(self.w.bias)
        self.A = nn.Linear(2 * d, d)
        self.norm = nn.LayerNorm(d)
        self.dropout = nn.Dropout(dropout)
        self.priority = nn.Linear(d, 1)

    def weights(self, q: Tensor) -> Tensor:
        """Return w_p(q) of every step p for each question, (rows, n_r, d)."""
        w: Tensor = self.w(q)
        return w.view(len(q), -1, q.shape[1])

    def forward(self, h: Tensor, m: Tensor) -> Tensor:
        """Return what entities are after they have heard m, (rows, d)."""
        heard: Tensor = self.dropout(F.relu(self.norm(self.A(torch.cat([h, m], dim=1)))))
        return h + heard

    def first(self, reach: Reach, h: Tensor, most: int) -> tuple[Reach, Tensor]:
        """Keep the subject and, of each question, at most so many of those with high priority."""
        priority = self.priority(h).flatten()
        order = priority.detach().clone()
        order[torch.from_numpy(reach.start[:-1])] = torch.inf
        rows = reach.best(order, most)
        return reach.take(rows), h[rows] * torch.sigmoid(priority[rows])[:, None]


PATHNET_SETTINGS: dict[str, str] = {
    "d": "The width of the vectors that the path network passes along.",
    "steps": "How many edges the path network goes from the subject of a question.",
    "most_entities": "From how many entities a question goes on after each step of the path "
    "network: those that a learned priority puts first. None: from all.",
    "dropout": "Dropout of what an entity hears in a step of the path network.",
}
"""What each setting means, a sentence each."""
