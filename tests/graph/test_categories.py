from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph import relation_categories

N_R = 4
ids = st.tuples(st.integers(0, 5), st.integers(0, N_R - 1), st.integers(0, 5))


def by_hand(triples):
    categories = [""] * N_R
    for r in {r for _, r, _ in triples}:
        subjects, objects = defaultdict(set), defaultdict(set)
        for s, relation, o in triples:
            if relation == r:
                subjects[o].add(s)
                objects[s].add(o)
        mean_subjects = np.mean([len(found) for found in subjects.values()])
        mean_objects = np.mean([len(found) for found in objects.values()])
        categories[r] = (
            f"{'N' if mean_subjects >= 1.5 else '1'}-{'N' if mean_objects >= 1.5 else '1'}"
        )
    return categories


@given(st.sets(ids))
def test_categories_are_those_of_the_mean_numbers(triples):
    array = np.array(list(triples), dtype=np.int64).reshape(-1, 3)
    assert relation_categories(array, N_R).tolist() == by_hand(triples)


def test_each_category():
    capital = [(0, 0, 10), (1, 0, 11)]
    has_part = [(0, 1, 10), (0, 1, 11), (0, 1, 12)]
    located_in = [(10, 2, 0), (11, 2, 0)]
    borders = [(0, 3, 1), (1, 3, 0), (0, 3, 2), (2, 3, 0), (1, 3, 2), (2, 3, 1)]
    triples = np.array(capital + has_part + located_in + borders)
    assert relation_categories(triples, 5).tolist() == ["1-1", "1-N", "N-1", "N-N", ""]
