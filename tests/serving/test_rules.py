from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import torch

from tucker.mixture import RuleMixture
from tucker.prediction import predict
from tucker.prediction.asker import Asker
from tucker.serving.questions import Row, RowScorer
from tucker.training import RulesSettings, learn_rules


@pytest.fixture(scope="module")
def ruled(run):
    graph = run.graph
    rules = learn_rules(graph.train, graph.n_e, graph.n_r, RulesSettings(facts=128), seed=0)
    model = RuleMixture(run.model, rules).eval()
    model.take_facts(torch.from_numpy(graph.train))
    return replace(run, model=model, config={**run.config, "rules": {"weight": 1.0}})


def test_many_who_ask_at_once_get_their_own_answers(ruled):
    """What rules said before is kept between questions, whoever asked them."""
    scorer, graph = RowScorer(Asker(ruled)), ruled.graph
    rows = [Row(s, r, k=4) for s in range(graph.n_e) for r in range(graph.n_r)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda row: scorer([row])[0], rows * 3))
    for row, answers in zip(rows * 3, found, strict=True):
        subject, relation = graph.entities.name(row.s), graph.relations.name(row.r)
        expected = predict(ruled, subject=subject, relation=relation, k=4)
        assert [one.object for one in answers.predictions] == [one.object for one in expected]
