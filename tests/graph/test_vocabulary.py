from __future__ import annotations

import polars as pl
import pytest

from tucker.errors import TuckerError, UnknownNameError
from tucker.graph import Vocabulary

NAMES = pl.Series(["Q20", "Q183", "Q1", "Q2"])
LABELS = pl.Series(["Norway", None, "Georgia", "Georgia"])


@pytest.fixture
def labelled():
    return Vocabulary("entity", NAMES, LABELS)


def test_names_and_ids(labelled):
    assert len(labelled) == 4
    assert [labelled.id(name) for name in NAMES] == [0, 1, 2, 3]
    assert labelled.name(1) == "Q183"


def test_labels(labelled):
    assert labelled.label(0) == "Norway"
    assert labelled.label(1) is None
    assert Vocabulary("entity", NAMES).label(0) is None


def test_a_label_of_one_member_is_as_good_as_its_name(labelled):
    assert labelled.id("Norway") == 0


def test_a_label_of_several_members_is_refused_with_their_names(labelled):
    with pytest.raises(TuckerError, match="label 'Georgia': 'Q1', 'Q2'; give a name"):
        labelled.id("Georgia")


def test_an_unknown_name_is_refused_with_the_nearest(labelled):
    with pytest.raises(
        UnknownNameError, match="no entity 'norwya'; did you mean 'Norway'"
    ) as caught:
        labelled.id("norwya")
    assert caught.value.nearest == ["Norway"]
    with pytest.raises(UnknownNameError, match=r"no entity 'xyzzy'$"):
        labelled.id("xyzzy")


def test_a_part_of_a_name_is_a_hint():
    vocabulary = Vocabulary("relation", pl.Series(["/people/person/place_of_birth", "/film/genre"]))
    assert vocabulary.nearest("PLACE_of") == ["/people/person/place_of_birth"]


def test_hints_in_a_large_vocabulary():
    names = pl.Series([f"entity number {i}" for i in range(30_000)] + ["Norway"])
    assert "Norway" in Vocabulary("entity", names).nearest("Norwya")


def test_a_name_in_other_letters_is_the_only_hint():
    names = pl.Series(["Norway", "Andorra", "Norwegian Sea"])
    assert Vocabulary("entity", names).nearest("nORWAY") == ["Norway"]
