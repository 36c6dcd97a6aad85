"""What rules say of an answer, against their formula path by path."""

from __future__ import annotations

from math import log, log1p

import numpy as np
import torch

from tests.reasoning.by_hand import (
    N_E,
    N_R,
    SAME,
    all_paths,
    dense,
    edges,
    facts,
    pattern_code,
    some_rules,
)
from tucker.reasoning.rules import Rules


def rho(rules, s, r, o):
    """Return ρ(s, r, o) from its formula, path by path."""
    found, relation = edges(), int(SAME[r])
    number = {c: i for i, c in enumerate(rules.codes.tolist())}
    terms = [
        rules.u[number[c]] + rules.v[number[c]] * log(n)
        for (steps, x), n in all_paths(s).items()
        if x == o and (c := relation * (2 * N_R + 1) ** 3 + pattern_code(steps)) in number
    ]
    if not terms:
        return 0.0
    d = sum(source == o for source, _, _ in found)
    back = int(SAME[(relation + N_R) % (2 * N_R)])
    a = sum((source, step) == (o, back) for source, step, _ in found)
    about = torch.tensor([1.0, log1p(d), log1p(a), float(a > 0)])
    return float(sum(terms) + rules.w[relation] @ about)


def table(rules):
    return np.array(
        [[[rho(rules, s, r, o) for o in range(N_E)] for r in range(2 * N_R)] for s in range(N_E)]
    )


def test_rules_say_what_their_formula_says():
    rules = some_rules()
    expected = table(rules)
    assert (expected != 0).mean() > 0.5
    np.testing.assert_allclose(dense(rules).numpy(), expected, atol=1e-5)


def test_rules_are_as_many_as_those_loaded():
    rules = some_rules()
    other = Rules(n_e=N_E, n_r=2 * N_R)
    other.take_facts(facts())
    assert not dense(other).any()
    other.load_state_dict(rules.state_dict())
    assert torch.equal(dense(other), dense(rules))


def test_codes_of_the_largest_graph_fit():
    n_e, n_r = 1 << 24, 1 << 14
    assert (n_e * n_r + n_r) * n_e < 2**63
    assert (n_r + 1) ** 4 < 2**63
