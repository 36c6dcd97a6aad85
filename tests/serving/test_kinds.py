from __future__ import annotations

import numpy as np
import pytest

from tucker.graph import load_graph
from tucker.graph.schema.types import Kinds as OfSide
from tucker.serving.kinds import Kinds


@pytest.fixture(scope="module")
def world():
    return load_graph("world")


@pytest.fixture(scope="module")
def asked(world):
    """The questions of each entity."""
    kinds = Kinds(world)
    return [set(kinds.relations_of(entity).tolist()) for entity in range(world.n_e)]


@pytest.fixture(scope="module")
def of_sides(world):
    """The questions of each entity by the rule of discovery."""
    found = [set() for _ in range(world.n_e)]
    for side, kinds in enumerate((OfSide.of_subjects(world), OfSide.of_objects(world))):
        for r in range(world.n_r):
            for entity in kinds.plausible(r).tolist():
                found[entity].add(r + side * world.n_r)
    return found


def test_an_entity_is_asked_all_that_discovery_asks_of_it(asked, of_sides):
    assert all(ours >= theirs for ours, theirs in zip(asked, of_sides, strict=True))


def test_what_it_is_the_object_of_tells_what_it_may_be_the_subject_of(world, asked, of_sides):
    held_out = np.concatenate([world.valid, world.test])
    s, r, o = held_out.T
    questions = [*zip(s, r, strict=True), *zip(o, r + world.n_r, strict=True)]
    shares = [
        np.mean([relation in some[entity] for entity, relation in questions])
        for some in (asked, of_sides)
    ]
    assert shares == pytest.approx([0.94, 0.91], abs=0.005)  # as the docstring says
    more = sum(map(len, asked)) / sum(map(len, of_sides))
    assert 1 < more < 1.05
