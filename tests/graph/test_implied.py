from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph import Answers, Ids, implied
from tucker.graph.implied import with_implied

N_E, N_R = 40, 2
ids = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3))
graphs = st.sets(ids, min_size=1).map(lambda rows: np.array(list(rows), np.int64))


def facts_of(answers: Answers) -> set[tuple[int, ...]]:
    return set(zip(*(column.tolist() for column in answers.facts()), strict=True))


def more_of(triples: list[tuple[int, int, int]], share: float) -> set[tuple[int, ...]]:
    """Return what follows, reciprocals left out."""
    answers = Answers.of(np.array(triples), N_E, N_R)
    more = facts_of(with_implied(answers, share)) - facts_of(answers)
    return {fact for fact in more if fact[1] < N_R}


def likes(count: int, r: int = 0) -> list[tuple[int, int, int]]:
    return [(i, r, 20 + i) for i in range(count)]


def backwards(triples: list[tuple[int, int, int]], r: int) -> list[tuple[int, int, int]]:
    return [(o, r, s) for s, _, o in triples]


def test_of_inverse_relations_each_implies_the_other() -> None:
    assert more_of(likes(12) + backwards(likes(11), r=1), 0.9) == {(31, 1, 11)}
    assert more_of(likes(11) + backwards(likes(12), r=1), 0.9) == {(11, 0, 31)}


def test_a_symmetric_relation_implies_its_own_reciprocal() -> None:
    assert more_of(likes(12) + backwards(likes(11), r=0), 0.9) == {(31, 0, 11)}


def test_a_part_implies_the_whole_and_not_the_other_way_round() -> None:
    assert more_of(likes(12, r=0) + likes(11, r=1) + [(i, 1, 0) for i in range(9)], 0.9) == {
        (11, 1, 31)
    }


def test_too_few_shared_pairs_imply_nothing() -> None:
    assert not more_of(likes(10) + backwards(likes(9), r=1), 0.5)


def test_too_small_a_share_implies_nothing() -> None:
    assert not more_of(likes(15) + backwards(likes(12), r=1) + [(39, 1, i) for i in range(3)], 0.9)


@given(graphs, st.sampled_from([0.3, 0.5, 0.9, 1.0]))
def test_what_follows_is_what_a_definition_says(triples: Ids, share: float) -> None:
    answers, pairs = Answers.of(triples, 4, 3), defaultdict(set)
    for s, r, o in facts_of(answers):
        pairs[r].add((s, o))
    expected = {(s, r, o) for r, of_r in pairs.items() for s, o in of_r}
    for of_a in pairs.values():
        for b, of_b in pairs.items():
            if len(of_a & of_b) >= max(2, share * len(of_a)):
                expected |= {(s, b, o) for s, o in of_a}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(implied, "_FEWEST", 2)
        assert facts_of(with_implied(answers, share)) == expected
