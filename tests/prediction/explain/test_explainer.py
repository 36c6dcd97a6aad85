from __future__ import annotations

from itertools import product

import pytest
import torch

from tests.conftest import make_graph
from tests.prediction.conftest import make_run
from tests.prediction.explain.conftest import CITIZEN
from tucker.errors import TuckerError, UnknownNameError
from tucker.prediction import Explainer


def path(explanation, *steps):
    wanted = [(name.removesuffix("-"), name.endswith("-")) for name in steps]
    for one in explanation.paths:
        if [(step.relation, step.backwards) for step in one.steps] == wanted:
            return one
    return None


def test_the_path_that_goes_with_the_relation(run):
    explanation = Explainer(run).explain("p0", "citizen", "north")
    born_in = path(explanation, "born", "in")
    assert explanation.paths[0] is born_in
    assert born_in.entities == ["p0", "c0", "north"]
    assert born_in.paths == 1
    # p1 is joined with north as well, but is no citizen as far as the training facts say
    assert (born_in.count.support, born_in.count.joined) == (6, 7)
    assert born_in.as_dict()["confidence"] == pytest.approx(6 / 7)
    assert explanation.notes == []


@pytest.mark.parametrize("seed", range(4))
def test_every_path_reason_against_plain_counting(seed):
    graph = make_graph(n_e=14, n_r=3, facts=80, seed=seed)
    s, r, o = (graph.test if seed % 2 else graph.train)[seed].tolist()
    names = (f"e{s}", f"r{r}", f"e{o}")
    explanation = Explainer(make_run(graph=graph)).explain(*names, k=1000)
    facts = {tuple(fact) for fact in graph.train.tolist()} - {(s, r, o)}
    walked = {(x, (f"r{q}", False), y) for x, q, y in facts}
    walked |= {(y, (f"r{q}", True), x) for x, q, y in facts}
    reasons = {}
    for length in (1, 2, 3):
        for pattern in product(sorted({step for _, step, _ in walked}), repeat=length):
            paths = [(x,) for x in range(graph.n_e)]
            for wanted in pattern:
                paths = [
                    (*path, y)
                    for path in paths
                    for x, step, y in walked
                    if (x, step) == (path[-1], wanted) and y not in path
                ]
            pairs = {(path[0], path[-1]) for path in paths}
            support = sum((x, r, y) in facts for x, y in pairs - {(s, o)})
            if (s, o) in pairs and support >= 2 and pattern != ((f"r{r}", False),):
                between = sum((path[0], path[-1]) == (s, o) for path in paths)
                reasons[pattern] = (support, len(pairs) - 1, between)
    found = {
        tuple((step.relation, step.backwards) for step in path.steps): (
            path.count.support,
            path.count.joined,
            path.paths,
        )
        for path in explanation.paths
    }
    assert found
    assert found.items() <= reasons.items()
    assert {one[:2] for one in found.values()} == {one[:2] for one in reasons.values()}


def test_a_fact_is_no_reason_for_itself(run):
    explanation = Explainer(run).explain("p2", "citizen", "north")
    assert explanation.known == "train"
    assert path(explanation, "citizen") is None
    assert (path(explanation, "born", "in").count.support, len(explanation.facts)) == (5, 5)
    assert ("p2", "north") not in [(fact.subject, fact.object) for fact in explanation.facts]
    assert Explainer(run).explain("p1", "citizen", "north").known == "valid"
    assert Explainer(run).explain("p0", "citizen", "north").known is None


def test_too_many_patterns_are_said(run, monkeypatch):
    monkeypatch.setattr("tucker.prediction.explain.explainer._MOST_PATTERNS", 1)
    note = "of 2 patterns that join the two, the 1 with the fewest targets a step were counted"
    assert Explainer(run).explain("p2", "citizen", "north").notes == [note]


def test_the_score_and_the_json_form(run):
    explainer = Explainer(run)
    said = explainer.explain("p0", "citizen", "north").as_dict()
    assert said == explainer.explain("p0", "citizen", "north").as_dict()
    ids = (torch.tensor([id]) for id in (0, CITIZEN, 12))
    assert said["score"] == pytest.approx(run.model.score(*ids).item())
    assert set(said["paths"][0]) == {
        *("steps", "entities", "paths", "support", "joined", "confidence", "sampled")
    }


def test_wrong_questions_are_refused(run):
    with pytest.raises(UnknownNameError, match="no relation 'citizens'; did you mean 'citizen'"):
        Explainer(run).explain("p0", "citizens", "north")
    with pytest.raises(TuckerError, match="k must be at least 1"):
        Explainer(run).explain("p0", "citizen", "north", k=0)
