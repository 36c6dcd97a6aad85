from __future__ import annotations

import tracemalloc
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph import Answers, Ids, implied
from tucker.graph.implied import with_implied

N_E, N_R = 40, 2
ids = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3))
graphs = st.sets(ids).map(lambda rows: np.array(list(rows), np.int64).reshape(-1, 3))


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


def test_exactly_the_share_is_enough() -> None:
    """14 of 25 is .56, less than which .56 * 25 is by a rounding error."""
    facts = [(i, 0, 39 - i % 2) for i in range(25)]
    assert len(more_of(facts + backwards(facts[:14], r=1), 0.56)) == 11


def test_facts_of_an_entity_with_itself_say_nothing() -> None:
    loops = [(i, 0, i) for i in range(12)]
    assert not more_of([*loops, (0, 0, 1), (2, 0, 3)], 0.5)


def test_nothing_follows_from_what_followed() -> None:
    """Of A's 12 facts B has 11 and C 6, of B's 101 C has 96: C gains 5, not what B gains of A."""
    b = [*likes(11, r=1), *((i, 1, j) for i in range(9) for j in range(10, 20))]
    c = [(s, 2, o) for s, _, o in b[5:]]
    answers = Answers.of(np.array([*likes(12), *b, *c]), N_E, 3)
    more = facts_of(with_implied(answers, 0.9)) - facts_of(answers)
    expected = {(11, 1, 31), *((s, 2, o) for s, _, o in b[:5])}
    assert {fact for fact in more if fact[1] < 3} == expected


@given(graphs, st.sampled_from([1, 3, 1 << 20]), st.sampled_from([(1, 2), (2, 3), (9, 10), (1, 1)]))
def test_what_follows_is_what_a_definition_says(
    triples: Ids, at_once: int, share: tuple[int, int]
) -> None:
    answers, of_relation = Answers.of(triples, 4, 3), defaultdict(set)
    for s, r, o in facts_of(answers):
        of_relation[r].add((s, o))
    expected = facts_of(answers)
    for of_a in of_relation.values():
        proper = {(s, o) for s, o in of_a if s != o}
        for b, of_b in of_relation.items():
            shared = len(proper & of_b)
            if shared >= 2 and share[1] * shared >= share[0] * len(proper):
                expected |= {(s, b, o) for s, o in of_a}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(implied, "_FEWEST", 2)
        patch.setattr(implied, "_AT_ONCE", at_once)
        found = facts_of(with_implied(answers, share[0] / share[1]))
    assert found == expected
    assert found == {(o, (r + 3) % 6, s) for s, r, o in found}  # reciprocals are among them


def test_many_relations_between_two_entities_take_bounded_memory() -> None:
    """300 relations that hold between the same 100: 9 million facts beside each other."""
    s, r = np.divmod(np.arange(100 * 300), 300)
    answers = Answers.of(np.stack([s, r, s + 100], axis=1), 200, 300)
    tracemalloc.start()
    try:
        assert len(implied.implications(answers, 0.8).premises) == 2 * 300 * 299
        assert tracemalloc.get_traced_memory()[1] < 150 << 20
    finally:
        tracemalloc.stop()


def test_equivalent_relations_have_the_first_of_them() -> None:
    """0 and 2 say the same, 1 is symmetric, 3 is the inverse of 0 and part of what 4 says."""
    random = np.random.default_rng(0)
    pairs = random.permutation(40)[:30].reshape(-1, 2)
    s, o = pairs.T
    loose = np.stack([np.arange(40, 80), np.arange(80, 120)])

    def facts(r: int, subjects: Ids, objects: Ids) -> Ids:
        return np.stack([subjects, np.full_like(subjects, r), objects], axis=1)

    triples = np.concatenate(
        [
            facts(0, s, o),
            facts(1, np.concatenate([s, o]), np.concatenate([o, s])),
            facts(2, s, o),
            facts(3, o, s),
            facts(4, np.concatenate([o, loose[0]]), np.concatenate([s, loose[1]])),
        ]
    )
    found = implied.implications(Answers.of(triples, 120, 5), 0.8)
    same = implied.equivalent(found, 10)
    assert same.tolist() == [0, 1, 0, 3, 4, 3, 1, 3, 0, 9]
