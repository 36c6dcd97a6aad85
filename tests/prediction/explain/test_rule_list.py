"""The rules of a run, by name."""

from __future__ import annotations

import pytest

from tests.pipeline.conftest import tiny
from tests.pipeline.test_train_rules import ruled
from tests.reasoning.by_hand import pattern_code
from tucker.errors import RunError, TuckerError
from tucker.pipeline import train
from tucker.prediction import rules_of


def test_rules_are_told_by_name(graph):
    run = train(graph, ruled()).run
    found = rules_of(run, k=10_000)
    assert len(found) == len(run.model.rules.codes)
    sizes = [abs(rule.weight) for rule in found]
    assert sizes == sorted(sizes, reverse=True)
    n_r, codes = graph.n_r, run.model.rules.codes
    for rule in found[:20]:
        asked, *steps = (
            graph.relations.id(step.relation) + n_r * step.backwards
            for step in (rule.question, *rule.steps)
        )
        code = run.model.rules.code(asked, pattern_code(steps, base=2 * n_r + 1))
        place = codes.tolist().index(int(code))
        assert rule.weight == float(run.model.rules.u[place])
        assert rule.more == float(run.model.rules.v[place])
    own = rules_of(run, graph.relations.name(1), k=10_000)
    assert 0 < len(own) < len(found)
    assert {rule.question.relation for rule in own} == {graph.relations.name(1)}


def test_a_run_without_rules_says_so(graph):
    run = train(graph, tiny()).run
    with pytest.raises(RunError, match="drawn has no rules: train with --set"):
        rules_of(run)
    with pytest.raises(TuckerError, match="k must be at least 1; found 0"):
        rules_of(train(graph, ruled()).run, k=0)
