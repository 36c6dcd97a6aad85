"""Rules: patterns of paths that speak for an answer, or against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from tucker.models.walks import Paths, Walks


@dataclass(frozen=True, eq=False)
class Reached:
    """Entities that paths lead to from some sources, by source, and what speaks for each."""

    relation: Tensor  # (sources,) what is asked, as the relation that stands for it
    row: Tensor  # (entities,) the place of the source, ascending
    entity: Tensor  # (entities,)
    of: Tensor  # (entries,) the place of the entity above, ascending
    rule: Tensor  # (entries,) its number
    paths: Tensor  # (entries,) the logarithm of how many there are

    def small(self) -> Reached:
        """Return the same in half the memory."""
        ids = (self.row, self.entity, self.of, self.rule)
        return Reached(self.relation, *(x.int() for x in ids), self.paths)


class Rules(nn.Module):
    """ρ(s, r, o) = a_r + b_r log(1 + degree of o) + Σ_p (u_rp + v_rp log n_p).

    n_p counts the paths of pattern p from s to o that visit no entity twice; the sum is over those
    patterns that have a rule for r. Where none leads to o, ρ is 0. In the manner of Lao and Cohen,
    "Relational retrieval using a combination of path-constrained random walks", 2010.
    """

    same: Tensor  # (n_r,) the relation that stands for each, reciprocals included
    codes: Tensor  # (rules,) relation and pattern, ascending

    def __init__(self, *, n_e: int, n_r: int) -> None:
        super().__init__()
        self.n_e = n_e
        self.register_buffer("same", torch.arange(n_r))
        self.register_buffer("codes", torch.empty(0, dtype=torch.long))
        self.a = nn.Parameter(torch.zeros(n_r))
        self.b = nn.Parameter(torch.zeros(n_r))
        self.u = nn.Parameter(torch.empty(0))
        self.v = nn.Parameter(torch.empty(0))
        self.take_facts(torch.empty(0, 3, dtype=torch.long))

    def take_facts(self, triples: Tensor) -> None:
        """Be told the facts to walk along, (facts, 3), no reciprocals; they are no weights."""
        self._triples = triples
        self._walks: Walks | None = None

    @property
    def walks(self) -> Walks:
        """The facts as edges."""
        if self._walks is None:
            self._walks = Walks.along(self._triples, self.same, self.n_e)
        return self._walks

    def take(self, codes: Tensor) -> None:
        """Have a rule for each of some codes, ascending, that says nothing yet."""
        self.codes = codes
        self.u, self.v = (nn.Parameter(torch.zeros(len(codes))) for _ in range(2))

    def code(self, relation: Tensor, pattern: Tensor) -> Tensor:
        """Return the code of a rule: patterns have at most three steps."""
        return relation * self.walks.base**3 + pattern

    def reached(self, relation: Tensor, paths: Paths) -> Reached:
        """Count the paths that have a rule; `relation`, (sources,), stands for what is asked."""
        code = self.code(relation[paths.row], paths.pattern)
        rule = torch.searchsorted(self.codes, code).clamp(max=max(0, len(self.codes) - 1))
        has = self.codes[rule] == code if len(self.codes) else torch.zeros_like(code).bool()
        number = max(1, len(self.codes))
        pair = paths.row[has] * self.n_e + paths.target[has]
        entry, count = torch.unique(pair * number + rule[has], return_counts=True)
        pair, of = torch.unique_consecutive(entry // number, return_inverse=True)
        return Reached(
            relation, pair // self.n_e, pair % self.n_e, of, entry % number, count.float().log()
        )

    def weigh(self, found: Reached) -> Tensor:
        """Return ρ of each entity that is reached, (entities,)."""
        relation = found.relation[found.row]
        degree = self.walks.degrees[found.entity].float()
        start = self.a[relation] + self.b[relation] * torch.log1p(degree)
        speaks = self.u[found.rule] + self.v[found.rule] * found.paths
        return start.index_add(0, found.of, speaks)

    @torch.no_grad()
    def forward(self, s: Tensor, r: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return ρ where it is not 0, flat: the row of each (s, r), ascending, entity and value."""
        found = self.reached(self.same[r], self.walks.paths(s))
        return found.row, found.entity, self.weigh(found)

    def _load_from_state_dict(
        self, state_dict: Mapping[str, Any], prefix: str, *rest: Any, **more: Any
    ) -> None:
        """Have as many rules as those that are loaded."""
        if f"{prefix}codes" in state_dict:
            self.take(torch.empty_like(state_dict[f"{prefix}codes"]))
        super()._load_from_state_dict(state_dict, prefix, *rest, **more)
        self._walks = None
