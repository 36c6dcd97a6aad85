"""Rules: patterns of paths that speak for an answer, or against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tucker.graph import Ids
from tucker.reasoning.edges import Edges
from tucker.reasoning.walks import LONGEST, Paths, code_base, paths_from


@dataclass(frozen=True, eq=False)
class Reached:
    """Entities that paths lead to from some sources, by source, and what is known of each."""

    relation: Tensor  # (sources,) what is asked, as the relation that stands for it
    row: Tensor  # (entities,) the place of the source, ascending
    entity: Tensor  # (entities,)
    degree: Tensor  # (entities,) how many facts are known of it
    answers: Tensor  # (entities,) how many questions of this relation it is known to answer
    of: Tensor  # (entries,) the place of the entity above, ascending
    rule: Tensor  # (entries,) the number of one that leads there
    paths: Tensor  # (entries,) how many paths of it do


class Rules(nn.Module):
    """ρ(s, r, o) = Σ_p (u_rp + v_rp log n_p) + ⟨w_r, (1, log(1 + d), log(1 + a), [a > 0])⟩.

    n_p counts the paths of pattern p from s to o that visit no entity twice; the sum is over those
    patterns that have a rule for r. Of o, d facts are known, and a of them say that it answers r.
    Where no rule leads to o, ρ is 0. In the manner of Lao and Cohen, "Relational retrieval using a
    combination of path-constrained random walks", Machine Learning 2010.
    """

    same: Tensor  # (n_r,) the relation that stands for each, reciprocals included
    codes: Tensor  # (rules,) relation and pattern, ascending

    def __init__(self, *, n_e: int, n_r: int) -> None:
        super().__init__()
        self.n_e = n_e
        self.register_buffer("same", torch.arange(n_r))
        self.w = nn.Parameter(torch.zeros(n_r, 4))
        self.take(torch.empty(0, dtype=torch.long))
        self.take_facts(torch.empty(0, 3, dtype=torch.long))

    def take_facts(self, triples: Tensor) -> None:
        """Be told the facts to walk along, (facts, 3), no reciprocals; they are no weights."""
        self._triples = triples
        self._edges: Edges | None = None

    @property
    def edges(self) -> Edges:
        """The facts as edges; relations that say the same are one step."""
        if self._edges is None:
            same = self.same.numpy()
            self._edges = Edges.of(self._triples.numpy(), self.n_e, len(same) // 2, same)
        return self._edges

    def take(self, codes: Tensor) -> None:
        """Have a rule for each of some codes, ascending, that says nothing yet."""
        self.register_buffer("codes", codes)
        self.u, self.v = (nn.Parameter(torch.zeros(len(codes))) for _ in range(2))

    def code(self, relation: Ids, pattern: Ids) -> Ids:
        """Return the code of a rule: what it answers, and its pattern of at most three steps."""
        return np.asarray(relation * self._base**LONGEST + pattern)

    def decoded(self) -> tuple[Tensor, Tensor]:
        """Return what each rule answers, (rules,), and its steps, (rules, 3), -1 where is none."""
        base, code = self._base, self.codes
        places = [base**place for place in reversed(range(LONGEST))]
        steps = torch.stack([code // place % base - 1 for place in places], dim=1)
        return code // base**LONGEST, steps

    def reached(self, relation: Ids, paths: Paths) -> Reached:
        """Count the paths that have a rule; `relation`, (sources,), stands for what is asked."""
        code = self.code(relation[paths.row], paths.pattern)
        rule, has = find(self.codes, torch.from_numpy(code))
        number = max(1, len(self.codes))
        pair = torch.from_numpy(paths.row * self.n_e + paths.target)[has]
        entry, count = torch.unique(pair * number + rule[has], return_counts=True)
        pair, of = torch.unique_consecutive(entry // number, return_inverse=True)
        row, entity = pair // self.n_e, pair % self.n_e
        backwards = self.same.numpy()[self.edges.backwards(relation)]
        return Reached(
            torch.from_numpy(relation),
            row,
            entity,
            degree=torch.from_numpy(self.edges.degree(entity.numpy())),
            answers=torch.from_numpy(self.edges.count(entity.numpy(), backwards[row.numpy()])),
            of=of,
            rule=entry % number,
            paths=count,
        )

    def weigh(self, found: Reached) -> Tensor:
        """Return ρ of each entity that is reached, (entities,)."""
        # By index_select: the gradient of an index is added up in any order where threads are many.
        relation = found.relation[found.row]
        w = [column.index_select(0, relation) for column in self.w.T]
        d, a = found.degree.float(), found.answers.float()
        start: Tensor = w[0] + w[1] * d.log1p() + w[2] * a.log1p() + w[3] * a.sign()
        u, v = (weights.index_select(0, found.rule) for weights in (self.u, self.v))
        return start.index_add(0, found.of, u + v * found.paths.log())

    @torch.no_grad()
    def forward(self, s: Tensor, r: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return ρ where it is not 0, flat: the row of each (s, r), ascending, entity and value."""
        distinct, source = torch.unique(s, return_inverse=True)
        paths = paths_from(self.edges, distinct.numpy())
        found = self.reached(self.same[r].numpy(), paths.repeat(source.numpy()))
        return found.row, found.entity, self.weigh(found)

    @property
    def _base(self) -> int:
        return code_base(len(self.same) // 2)

    def _load_from_state_dict(
        self, state_dict: Mapping[str, Any], prefix: str, *rest: Any, **more: Any
    ) -> None:
        """Have as many rules as those that are loaded."""
        if f"{prefix}codes" in state_dict:
            self.take(torch.empty_like(state_dict[f"{prefix}codes"]))
        super()._load_from_state_dict(state_dict, prefix, *rest, **more)
        self._edges = None


def find(ascending: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Return where numbers stand among ascending ones, and whether they do."""
    place = torch.searchsorted(ascending, wanted)
    if not len(ascending):
        return place, torch.zeros_like(wanted, dtype=torch.bool)
    place = place.clamp(max=len(ascending) - 1)
    return place, ascending[place] == wanted
