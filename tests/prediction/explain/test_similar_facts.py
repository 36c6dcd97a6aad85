"""The known facts most like a fact, against plain arithmetic."""

from __future__ import annotations

import pytest
import torch

from tests.prediction.conftest import make_run
from tests.prediction.explain.conftest import CITIZEN
from tucker.graph import Graph
from tucker.prediction import Explainer
from tucker.prediction.explain.similar_facts import facts_alike


def test_facts_alike_against_plain_arithmetic(run):
    model = run.model
    with torch.no_grad():
        queries = model.queries(torch.arange(8), torch.full((8,), CITIZEN))
        cosine = torch.nn.functional.cosine_similarity
        wanted = sorted(
            (
                float(cosine(queries[0], queries[p], dim=0)) / 2
                + float(cosine(model.E[12], model.E[12 + p // 4], dim=0)) / 2,
                f"p{p}",
            )
            for p in range(2, 8)
        )[::-1]
    facts = Explainer(run).explain("p0", "citizen", "north", k=3).facts
    assert [fact.subject for fact in facts] == [name for _, name in wanted[:3]]
    assert [fact.alike.likeness for fact in facts] == pytest.approx([w for w, _ in wanted[:3]])


def test_too_many_facts_are_drawn_and_said(run, monkeypatch):
    monkeypatch.setattr("tucker.prediction.explain.similar_facts.MOST_FACTS", 3)
    explanation = Explainer(run).explain("p0", "citizen", "north")
    assert len(explanation.facts) == 3
    assert explanation.notes == ["compared with 3 facts drawn from the 6 of the relation"]


def test_a_relation_without_other_facts_has_none_alike(run):
    graph = run.graph
    graph = Graph("few", graph.entities, graph.relations, graph.train[:9], graph.valid, graph.test)
    explanation = Explainer(make_run(graph=graph)).explain("c0", "in", "north")
    assert (explanation.facts, explanation.paths) == ([], [])


def test_facts_in_parts_are_alike_as_at_once(run, monkeypatch):
    whole = facts_alike(run, run.model.entities(), 0, CITIZEN, 12, 5)
    monkeypatch.setattr("tucker.prediction.explain.similar_facts._AT_ONCE", 2)
    facts, compared, of_facts = facts_alike(run, run.model.entities(), 0, CITIZEN, 12, 5)
    assert (compared, of_facts) == whole[1:] == (6, 6)
    assert [(one.s, one.o) for one in facts] == [(one.s, one.o) for one in whole[0]]
    assert [one.likeness for one in facts] == pytest.approx([one.likeness for one in whole[0]])
