"""Random edges, and the paths of a pattern among them by brute force."""

from __future__ import annotations

from itertools import product

import pytest

from tests.conftest import make_graph
from tests.reasoning.by_hand import N_R
from tucker.reasoning.edges import Edges


@pytest.fixture(params=range(3))
def edges(request) -> Edges:
    graph = make_graph(n_e=12, n_r=N_R, facts=70, seed=request.param)
    return Edges.of(graph.train, graph.n_e, graph.n_r)


def steps_of(edges: Edges) -> dict[int, set[tuple[int, int]]]:
    found = {}
    for step in range(2 * N_R):
        of_step = edges.of_step(step)
        pairs = zip(of_step.sources.tolist(), of_step.targets.tolist(), strict=True)
        found[step] = set(pairs)
    return found


def simple_paths(edges: Edges, pattern: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Walk a pattern from everywhere by brute force, visiting no entity twice."""
    joined = steps_of(edges)
    paths = [(x,) for x in range(edges.n_e)]
    for step in pattern:
        paths = [
            (*path, y) for path in paths for x, y in joined[step] if x == path[-1] and y not in path
        ]
    return paths


def all_patterns() -> list[tuple[int, ...]]:
    return [p for length in (1, 2, 3) for p in product(range(2 * N_R), repeat=length)]
