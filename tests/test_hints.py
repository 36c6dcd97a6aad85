"""The nearest names to a mistyped one."""

from __future__ import annotations

from tucker.hints import did_you_mean, hint, nearest

NAMES = ["Norway", "Sweden", "North Macedonia", "norms"]


def test_the_nearest_come_first_whatever_their_case():
    assert nearest("norwey", NAMES)[0] == "Norway"
    assert nearest("SWEDEN", NAMES) == ["Sweden"]
    assert nearest("zzz", NAMES) == []
    assert len(nearest("nor", NAMES, most=1, cutoff=0.1)) == 1


def test_a_question_for_the_end_of_an_error():
    assert did_you_mean(["a", "b"]) == "; did you mean a or b?"
    assert did_you_mean([]) == ""


def test_all_names_are_told_if_none_is_near():
    assert hint("Swedn", NAMES) == "; did you mean Sweden?"
    assert hint("zzz", ["a", "b"]) == "; known are a, b"
