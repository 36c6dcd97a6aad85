from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.conftest import make_graph
from tucker.reasoning.edges import Edges
from tucker.reasoning.messages import Links, Reach, heard


@pytest.fixture
def links(graph) -> Links:
    return Links.of(Edges.of(graph.train, graph.n_e, graph.n_r))


def drawn(links, seed=0):
    """Keep some edges, each both ways or not at all."""
    kept = np.random.default_rng(seed).random(len(links)) < 0.6
    return kept[np.minimum(np.arange(len(links)), links.twin)]


def edges_of(links, kept):
    """Return each kept edge as (entity that hears, step, entity that tells)."""
    source = np.repeat(np.arange(links.n_e), np.diff(links.first))
    return list(
        zip(
            source[kept].tolist(),
            links.step[kept].tolist(),
            links.target[kept].tolist(),
            strict=True,
        )
    )


def rows_of(reach, question):
    return reach.entity[reach.start[question] : reach.start[question + 1]].tolist()


def plain(h, w, links, kept, near, far):
    """Send the messages one at a time, by autograd."""
    out = []
    for b in range(len(far.start) - 1):
        place = {entity: near.start[b] + i for i, entity in enumerate(rows_of(near, b))}
        for v in rows_of(far, b):
            total = torch.zeros(h.shape[1], dtype=h.dtype)
            for hears, step, tells in edges_of(links, kept):
                if hears == v and tells in place:
                    total = total + h[place[tells]] * w[b, step]
            out.append(total)
    return torch.stack(out)


def test_an_edge_s_twin_is_the_same_fact_walked_the_other_way(graph, links):
    source = np.repeat(np.arange(graph.n_e), np.diff(links.first))
    assert (source[links.twin] == links.target).all()
    assert (links.target[links.twin] == source).all()
    assert ((links.step[links.twin] - links.step) % (2 * graph.n_r) == graph.n_r).all()
    assert (links.twin[links.twin] == np.arange(len(links))).all()


def test_the_edges_of_facts_are_found(graph, links):
    s, r, o = graph.train[graph.train[:, 0] != graph.train[:, 2]].T
    source = np.repeat(np.arange(graph.n_e), np.diff(links.first))
    places = links.find(s, r, o)
    assert (source[places] == s).all()
    assert (links.step[places] == r).all()
    assert (links.target[places] == o).all()
    missing = graph.test
    known = set(map(tuple, graph.train.tolist()))
    there = [fact for fact in map(tuple, missing.tolist()) if fact in known]
    assert len(links.find(*missing.T)) == len(there)


@pytest.mark.parametrize("seed", range(4))
def test_the_reach_grows_by_the_neighbours(links, seed):
    kept = drawn(links, seed)
    near = Reach.of(torch.tensor([3, 0, 3, 7]))
    for _ in range(3):
        far = links.grown(near, kept)
        for b in range(4):
            before, after = rows_of(near, b), rows_of(far, b)
            tells = {t for hears, _, t in edges_of(links, kept) if hears in before}
            assert after[: len(before)] == before
            assert sorted(after) == sorted({*before, *tells})
        assert near.within(far).tolist() == [
            int(far.start[b]) + i for b in range(4) for i in range(len(rows_of(near, b)))
        ]
        near = far


@pytest.mark.parametrize("threads", [1, 3])
def test_messages_and_their_gradients_against_one_at_a_time(links, threads, three_threads):
    torch.set_num_threads(threads)
    kept = drawn(links)
    near = links.grown(Reach.of(torch.arange(12).repeat(3)), kept)
    far = links.grown(near, kept)
    h = torch.randn(len(near.entity), 5, requires_grad=True)
    w = torch.randn(36, 2 * links.edges.n_r, 5, requires_grad=True)
    found, expected = (send(h, w, links, kept, near, far) for send in (heard, plain))
    assert found.detach().allclose(expected.detach(), atol=1e-5)
    direction = torch.randn_like(found)
    for one, other in zip(
        torch.autograd.grad(found, (h, w), direction),
        torch.autograd.grad(expected, (h, w), direction),
        strict=True,
    ):
        assert one.allclose(other, atol=1e-4)


def test_the_rows_of_the_highest_priority_are_kept_in_their_order():
    reach = Reach(np.array([4, 1, 2, 9, 8], dtype=np.int32), np.array([0, 3, 5]))
    rows = reach.best(torch.tensor([0.1, 0.9, 0.5, 0.2, 0.3]), 2)
    assert rows.tolist() == [1, 2, 3, 4]
    few = reach.take(reach.best(torch.tensor([0.1, 0.9, 0.5, 0.2, 0.3]), 1))
    assert few.entity.tolist() == [1, 8]
    assert few.start.tolist() == [0, 1, 2]
    assert reach.questions().tolist() == [0, 0, 0, 1, 1]


def test_a_graph_without_facts_reaches_nothing():
    graph = make_graph()
    links = Links.of(Edges.of(graph.train[:0], graph.n_e, graph.n_r))
    near = Reach.of(torch.tensor([1, 2]))
    far = links.grown(near, np.ones(0, dtype=np.bool_))
    assert far.entity.tolist() == [1, 2]
