from __future__ import annotations

import torch

from tucker.training.losses import Targets
from tucker.training.sampling import Candidates

TARGETS = Targets(
    rows=torch.tensor([0, 0, 1, 2]),
    objects=torch.tensor([7, 3, 3, 90]),
    weights=torch.ones(3) / 3,
    counts=torch.tensor([1.0, 2.0, 3.0, 4.0]),
)


def test_every_answer_is_a_candidate_and_keeps_its_entity() -> None:
    ids, targets = Candidates(100, 10).draw(TARGETS)
    assert torch.equal(ids[targets.objects], TARGETS.objects)
    assert torch.equal(targets.rows, TARGETS.rows)
    assert torch.equal(targets.weights, TARGETS.weights)
    assert torch.equal(targets.counts, TARGETS.counts)


def test_candidates_are_distinct_and_few() -> None:
    ids, _ = Candidates(100, 10).draw(TARGETS)
    assert len(ids.unique()) == len(ids) <= 10 + 3


def test_each_draw_is_another_and_none_lingers() -> None:
    candidates = Candidates(1000, 10)
    draws = [set(candidates.draw(TARGETS)[0].tolist()) for _ in range(20)]
    assert len({frozenset(draw) for draw in draws}) == 20
    assert max(map(len, draws)) <= 13
    assert len(set.union(*draws)) > 100


def test_sizes_come_again() -> None:
    sizes = set()
    for answers in range(700, 1200):
        objects = torch.arange(answers)
        targets = Targets(torch.zeros_like(objects), objects, torch.ones(1), torch.ones(answers))
        sizes.add(len(Candidates(9000, 2000).draw(targets)[0]))
        assert len(Candidates(answers + 1, 2000).draw(targets)[0]) == answers + 1
    assert sizes == {2816, 3072, 3328}
