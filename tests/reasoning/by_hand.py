"""Facts, their paths and rules, each written down step by step from its definition."""

from __future__ import annotations

from collections import Counter

import torch

from tests.conftest import make_graph
from tucker.reasoning.rules import Rules

N_E, N_R = 9, 3
SAME = torch.tensor([0, 1, 2, 3, 1, 5])  # relation 1 is symmetric


def facts():
    return torch.from_numpy(make_graph(N_E, N_R, facts=30).train)


def edges():
    """Return (source, step, target) of each edge."""
    found = set()
    for s, r, o in facts().tolist():
        if s != o:
            found |= {(s, int(SAME[r]), o), (o, int(SAME[r + N_R]), s)}
    return found


def all_paths(s, without=None):
    """Return (steps, target) of every path of one to three steps that visits no entity twice."""
    found, longer, result = edges(), [((), (s,))], []
    for _ in range(3):
        longer = [
            ((*steps, step), (*visited, target))
            for steps, visited in longer
            for source, step, target in found
            if source == visited[-1] and target not in visited
            if (source, step, target) != without
        ]
        result += [(steps, visited[-1]) for steps, visited in longer]
    return Counter(result)


def pattern_code(steps, base=2 * N_R + 1):
    return sum((step + 1) * base**i for i, step in enumerate(reversed(steps)))


def some_rules():
    """Return rules with weights, of every second pattern that the facts have."""
    rules = Rules(n_e=N_E, n_r=2 * N_R)
    rules.same = SAME
    rules.take_facts(facts())
    patterns = sorted(
        {pattern_code(steps) for s in range(N_E) for steps, _ in all_paths(s)}, key=hash
    )[::2]
    codes = [r * (2 * N_R + 1) ** 3 + p for r in SAME.unique().tolist() for p in patterns]
    rules.take(torch.tensor(sorted(codes)))
    for weights in rules.parameters():
        torch.nn.init.uniform_(weights, -1, 1)
    return rules.requires_grad_(False)


def dense(rules):
    s, r = torch.cartesian_prod(torch.arange(N_E), torch.arange(2 * N_R)).T
    row, entity, value = rules(s, r)
    found = torch.zeros(len(s), N_E)
    found[row, entity] = value
    return found.view(N_E, 2 * N_R, N_E)
