from __future__ import annotations

import pytest

from tests.cli.running import refused, tucker
from tests.cli.shapes import check

SHAPE = {
    "relation": str,
    "facts": int,
    "both_ways": float,
    "asymmetry": float,
    "asymmetry_of_scores": float,
    "norm": float,
}


def test_all_relations_the_most_asymmetric_first(run):
    result = tucker("inspect", run)
    assert (result.code, result.err) == (0, "")
    for name in ("is acquainted with", "likes", "follows [x]"):
        assert f"│ {name} " in result.out
    found = tucker("inspect", run, "--json").json()
    assert {one["relation"] for one in found} == {"knows", "likes", "follows [x]"}
    assert [one["asymmetry"] for one in found] == sorted(
        (one["asymmetry"] for one in found), reverse=True
    )
    for one in found:
        check(one, SHAPE | ({"label": str} if one["relation"] == "knows" else {}))
        assert 0 <= one["asymmetry"] <= 1


def test_one_relation_with_its_matrix(run):
    found = tucker("inspect", run, "--relation", "likes", "--json").json()
    assert len(found) == 1
    check(found[0], SHAPE | {"matrix": list})
    assert len(found[0]["matrix"]) == len(found[0]["matrix"][0]) == 8
    assert "likes" in tucker("inspect", run, "--relation", "likes").out


def test_a_relation_named_twice_is_shown_once(run):
    words = ["--relation", "likes", "--relation", "likes", "--relation", "is acquainted with"]
    found = tucker("inspect", run, *words, "--json").json()
    alone = tucker("inspect", run, "--relation", "is acquainted with", "--json").json()
    assert len(found) == 2
    assert alone[0] in found


def test_heatmaps(run, tmp_path):
    pytest.importorskip("matplotlib")
    words = ["--relation", "likes", "--relation", "is acquainted with", "--plot", "two.svg"]
    result = tucker("inspect", run, *words)
    assert (result.code, result.err) == (0, "wrote two.svg\n")
    assert "is acquainted with" in (tmp_path / "two.svg").read_text()


def test_what_cannot_be_shown(run):
    assert "no relation 'hates'" in refused(tucker("inspect", run, "--relation", "hates"))
    words = ["--relation", "likes", "--plot", "one.gif"]
    assert "a plot must be one of" in refused(tucker("inspect", run, *words))
    result = tucker("inspect", run, "--plot", "one.svg")
    assert result.code == 2
    assert "say with --relation what to --plot" in result.err
