from __future__ import annotations

import pytest

import tucker as library
from tests.cli.running import QUICK, refused, tucker
from tests.cli.shapes import check
from tests.conftest import write_people

SHAPE = {"relation": str, "backwards": bool, "steps": list, "weight": float, "more": float}


@pytest.fixture(scope="module")
def ruled(tmp_path_factory):
    labels = {"knows": "is acquainted with"}
    facts = write_people(tmp_path_factory.mktemp("facts"), [], labels, ("knows", "likes", "[x]"))
    out = tmp_path_factory.mktemp("runs") / "ruled"
    words = ["--set=rules.facts=100", "--set=rules.weight=0.5"]
    result = tucker("train", "--graph", facts, "--out", out, *QUICK, *words, "--json")
    assert result.json()["valid"]["mrr"] > 0
    return out


def test_the_rules_that_say_most(ruled):
    result = tucker("rules", ruled)
    assert (result.code, result.err) == (0, "")
    for name in ("is acquainted with", "likes", "[x]"):
        assert name in result.out
    found = tucker("rules", ruled, "--json").json()
    assert len(found) == 20
    for one in found:
        check(one, SHAPE)
        assert 1 <= len(one["steps"]) <= 3
        for step in one["steps"]:
            check(step, {"relation": str, "backwards": bool})
    assert library.load(ruled).rules(k=20)[0].as_dict() == found[0]


def test_the_rules_of_one_relation(ruled):
    found = tucker("rules", ruled, "--relation", "is acquainted with", "-k", "3", "--json").json()
    assert [one["relation"] for one in found] == ["knows"] * 3


def test_what_cannot_be_shown(run, ruled):
    assert "has no rules: train with --set rules.weight" in refused(tucker("rules", run))
    assert "did you mean 'likes'?" in refused(tucker("rules", ruled, "--relation", "lieks"))


def test_a_run_with_rules_answers_as_any_other(ruled, tmp_path):
    (best, *_) = tucker("discover", ruled, "-k", "3", "--json").json()
    facts = tmp_path / "facts.tsv"
    facts.write_text("\t".join(best[key] for key in ("subject", "relation", "object")) + "\n")
    (scored,) = tucker("score", ruled, facts, "--json").json()
    assert scored["score"] == pytest.approx(best["score"], abs=1e-4)
    assert scored["probability"] == pytest.approx(best["probability"], abs=1e-4)
    asked = ["--subject", best["subject"], "--relation", best["relation"], "--json"]
    answers = tucker("predict", ruled, *asked, "-k", "50").json()
    (same,) = [one for one in answers if one["object"] == best["object"]]
    assert same["score"] == pytest.approx(best["score"], abs=1e-4)
    assert sum(one["probability"] for one in answers) <= 1 + 1e-6


def test_a_python_training_takes_rules():
    graph = library.load_graph("world")
    settings = {"d_e": 4, "d_r": 2, "epochs": 1, "progress": False}
    run = library.train(graph, rules={"facts": 64}, **settings)
    assert run.rules(k=1)
