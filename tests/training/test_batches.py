from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import make_graph
from tucker.graph import Answers, Graph
from tucker.training.batches import Batches


def answers_of(graph: Graph) -> Answers:
    return Answers.of(graph.train, graph.n_e, graph.n_r)


def batches_of(answers: Answers, **changes: float) -> Batches:
    settings = {"batch_size": 8, "group_size": 4, "answer_weight": 0.0, "seed": 0} | changes
    return Batches(answers, **settings)  # type: ignore[arg-type]


@given(
    seed=st.integers(0, 50), batch_size=st.integers(2, 96), group_size=st.integers(1, 20),
    epoch=st.integers(1, 5), most_answers=st.integers(0, 4),
)  # fmt: skip
def test_every_fact_exactly_once_an_epoch(  # type: ignore[no-untyped-def]
    seed, batch_size, group_size, epoch, most_answers
) -> None:
    graph = make_graph(seed=seed)
    answers = answers_of(graph)
    batches = batches_of(
        answers, batch_size=batch_size, group_size=group_size, seed=seed, most_answers=most_answers
    )
    facts, sizes = [], []
    for batch in batches.epoch(epoch):
        sizes.append(len(batch))
        rows = batch.targets.rows
        facts += zip(
            batch.s[rows].tolist(), batch.r[rows].tolist(), batch.targets.objects.tolist(),
            strict=True,
        )  # fmt: skip
    s, r, o = graph.train.T
    forward = zip(s.tolist(), r.tolist(), o.tolist(), strict=True)
    expected = [f for s, r, o in forward for f in ((s, r, o), (o, r + graph.n_r, s))]
    parts = -(-answers.counts // most_answers) if most_answers else np.ones(len(answers))
    assert sum(sizes) == len(batches) == parts.sum()
    assert sorted(facts) == sorted(expected)
    assert max(sizes) <= max(batch_size, 3)
    in_sixteens = batch_size % 16 == 0 and batch_size > 16
    assert max(sizes) - min(sizes) <= (31 if in_sixteens else 1)
    assert not in_sixteens or all(size % 16 == 0 for size in sizes[:-1])
    assert min(sizes) >= 2  # batch normalisation chokes on one row


@given(pairs=st.integers(2, 400), batch_size=st.sampled_from([32, 48, 64, 128]))
def test_batches_of_sixteens_are_neither_too_large_nor_nearly_empty(pairs, batch_size) -> None:  # type: ignore[no-untyped-def]
    chain = np.array([[i, 0, i + 1] for i in range(pairs // 2)])  # each fact asked from both sides
    batches = batches_of(
        Answers.of(chain, n_e=pairs, n_r=1), batch_size=batch_size, group_size=batch_size
    )
    sizes = [len(batch) for batch in batches.epoch(1)]
    assert sum(sizes) == len(batches) == pairs // 2 * 2
    assert len(sizes) == -(-len(batches) // batch_size)
    assert max(sizes) <= batch_size
    assert len(sizes) == 1 or min(sizes) >= 16


def test_a_relations_pairs_come_in_groups() -> None:
    answers = answers_of(make_graph(n_e=60, facts=900))
    batches = batches_of(answers, group_size=16)
    relation = answers.relations[batches.order(1)]
    runs = 1 + np.count_nonzero(np.diff(relation))
    fewest = len(np.unique(relation))
    full = sum(-(-count // 16) for count in np.bincount(relation))
    assert fewest < runs <= full  # neighbours may happen to share a relation


def test_order_follows_from_seed_and_epoch() -> None:
    answers = answers_of(make_graph())
    order = batches_of(answers).order
    assert np.array_equal(order(3), batches_of(answers).order(3))
    assert not np.array_equal(order(3), order(4))
    assert not np.array_equal(order(3), batches_of(answers, seed=1).order(3))


def test_an_epoch_goes_on_where_it_stopped() -> None:
    batches = batches_of(answers_of(make_graph()))
    whole = [batch.s.tolist() for batch in batches.epoch(2)]
    assert [batch.s.tolist() for batch in batches.epoch(2, start=3)] == whole[3:]


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_pairs_are_weighted_by_their_answers(power: float) -> None:
    answers = answers_of(make_graph())
    batches = batches_of(answers, answer_weight=power)
    mean = (answers.counts**power).mean()
    total = 0.0
    for batch in batches.epoch(1):
        counts = np.bincount(batch.targets.rows.numpy())
        expected = counts**power / mean / len(batch)
        np.testing.assert_allclose(batch.targets.weights.numpy(), expected, rtol=1e-6)
        total += float(batch.targets.weights.sum()) * len(batch)
    assert total == pytest.approx(len(answers))


def test_answers_of_a_pair_are_shared_out_evenly() -> None:
    """Eleven answers in parts of four at most: three parts, none of them nearly empty."""
    star = np.array([[0, 0, o] for o in range(1, 12)])
    batches = batches_of(Answers.of(star, n_e=12, n_r=1), most_answers=4, answer_weight=1.0)
    counts, weights, dealt = [], [], []
    for batch in batches.epoch(1):
        forward = (batch.r == 0).numpy()
        counts += np.bincount(batch.targets.rows)[forward].tolist()
        weights += (batch.targets.weights.numpy()[forward] * len(batch)).tolist()
        dealt += batch.targets.objects[batch.r[batch.targets.rows] == 0].tolist()
    assert sorted(counts) == [3, 4, 4]
    assert weights == pytest.approx([count * weights[0] / counts[0] for count in counts])
    assert sorted(dealt) == list(range(1, 12)) != dealt


@pytest.mark.parametrize("most_answers", [0, 2])
def test_answers_count_by_how_many_facts_they_have(most_answers: int) -> None:
    """Seven facts, the hub in five: its answers weigh in full, the others by their share of it."""
    hub = np.array([[0, 0, 1], [0, 0, 2], [0, 0, 3], [4, 0, 0], [5, 0, 0], [1, 0, 2], [3, 0, 5]])
    batches = batches_of(
        Answers.of(hub, n_e=6, n_r=1),
        batch_size=100, answer_weight=1.0, degree_weight=0.8, most_answers=most_answers,
    )  # fmt: skip
    (batch,) = batches.epoch(1)
    of_answer = (batch.targets.weights[batch.targets.rows] * batch.targets.shares()).numpy()
    objects = batch.targets.objects.numpy()
    expected = 0.2 + 0.8 * np.bincount(hub[:, [0, 2]].ravel()) / 5
    np.testing.assert_allclose(of_answer / of_answer[objects == 0][0], expected[objects], rtol=1e-6)


def test_a_pair_counts_a_power_of_what_its_answers_count() -> None:
    star = np.array([[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 0, 2]])
    batches = batches_of(
        Answers.of(star, n_e=4, n_r=1), batch_size=100, answer_weight=0.5, degree_weight=0.6
    )
    (batch,) = batches.epoch(1)
    pairs = zip(batch.s.tolist(), batch.r.tolist(), strict=True)
    weights = dict(zip(pairs, batch.targets.weights.tolist(), strict=True))
    counts = 0.4 + 0.6 * np.array([3, 2, 2, 1]) / 3  # by the facts of each entity
    ratio = (counts[1] + counts[2] + counts[3]) ** 0.5 / counts[2] ** 0.5
    assert weights[0, 0] / weights[1, 0] == pytest.approx(ratio)
