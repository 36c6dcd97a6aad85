from __future__ import annotations

import pytest

from tests.cli.running import refused, tucker

FACT = ["--subject", "p5", "--relation", "knows", "--object", "p9"]


def test_explain(run):
    said = tucker("explain", run, *FACT, "--json").json()
    assert [said[part] for part in ("subject", "relation", "object")] == ["p5", "knows", "p9"]
    assert set(said) >= {"score", "known", "facts", "paths", "notes"}
    assert len(said["facts"]) == 5
    for path in said["paths"]:
        assert path["entities"][0] == "p5"
        assert path["entities"][-1] == "p9"
        assert path["confidence"] == pytest.approx(path["support"] / path["joined"])
    table = tucker("explain", run, *FACT, "-k", "2")
    assert table.code == 0
    assert "p5 · is acquainted with · p9: known facts most like it" in table.out


def test_explain_says_labels_and_gives_names(run):
    fact = ["--subject", "p0", "--relation", "knows", "--object", "p3"]
    said = tucker("explain", run, *fact, "--json").json()
    assert (said["subject"], said["relation"]) == ("p0", "knows")
    assert said["labels"]["p0"] == "Person zero"
    assert said["labels"]["knows"] == "is acquainted with"
    named = {said["object"], *(name for path in said["paths"] for name in path["entities"])}
    named |= {one[part] for one in said["facts"] for part in ("subject", "object")}
    named |= {step["relation"] for path in said["paths"] for step in path["steps"]}
    assert set(said["labels"]) - {"p0", "knows"} <= named
    table = tucker("explain", run, *fact).out
    assert "Person zero · is acquainted with · p3: paths that go with is acquainted with" in table
    assert "knows→" not in table
    by_label = ["--subject", "Person zero", "--relation", "is acquainted with", "--object", "p3"]
    assert tucker("explain", run, *by_label, "--json").json() == said


def test_a_name_that_the_graph_lacks(run):
    message = refused(tucker("explain", run, *FACT[:-1], "p99"))
    assert message.startswith("the graph has no entity 'p99'; did you mean 'p9")
