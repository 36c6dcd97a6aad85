from __future__ import annotations

import dataclasses

import numpy as np
import polars as pl
import pytest
import torch

from tests.evaluation.test_ranking import Table, brute_force
from tucker.errors import GraphError
from tucker.evaluation import evaluate
from tucker.graph import Graph, Vocabulary, relation_categories


def table(graph: Graph) -> Table:
    return Table(torch.randint(5, (2 * graph.n_r, graph.n_e, graph.n_e)).float())


def test_test_is_filtered_by_all_splits_and_valid_by_those_before(graph: Graph) -> None:
    model = table(graph)
    filters = {"valid": np.concatenate([graph.train, graph.valid]), "test": graph.known}
    for split, known in filters.items():
        ranks = brute_force(model.scores, graph.split(split), known, graph.n_r, "realistic")
        expected = np.mean([1 / rank for side in ranks for rank in side])
        assert evaluate(model, graph, split).mrr == pytest.approx(expected)


def test_validation_does_not_depend_on_the_test_split(graph: Graph) -> None:
    model = table(graph)
    other = dataclasses.replace(graph, test=graph.test[:1])
    assert evaluate(model, graph, "valid") == evaluate(model, other, "valid")


@pytest.mark.parametrize("by", ["relation", "side", "category"])
def test_parts_make_up_the_whole(graph: Graph, by: str) -> None:
    whole = evaluate(table(graph), graph, by=by)
    queries = sum(part.queries for part in whole.by.values())
    weighted = sum(part.queries * part.mrr for part in whole.by.values())
    assert queries == whole.metrics.queries == 2 * whole.triples
    assert weighted / queries == pytest.approx(whole.mrr)


def test_parts_by_hand(graph: Graph) -> None:
    model = table(graph)
    objects, subjects = brute_force(model.scores, graph.test, graph.known, graph.n_r, "realistic")
    by_side = evaluate(model, graph, by="side").by
    assert by_side["object"].mean_rank == pytest.approx(np.mean(objects))
    assert by_side["subject"].mean_rank == pytest.approx(np.mean(subjects))
    r = int(graph.test[0, 1])
    chosen = graph.test[:, 1] == r
    expected = np.mean(np.array([objects, subjects])[:, chosen])
    by_relation = evaluate(model, graph, by="relation").by
    assert by_relation[f"r{r}"].mean_rank == pytest.approx(expected)
    categories = relation_categories(graph.train, graph.n_r)[graph.test[:, 1]]
    assert set(evaluate(model, graph, by="category").by) == set(categories)


def test_unseen_entities_are_kept_and_told_apart(graph: Graph) -> None:
    """One more entity that only the test split knows."""
    names = Vocabulary("entity", pl.Series([*graph.entities.names, "new"]))
    new = graph.n_e
    test = np.concatenate([graph.test, [[new, 0, 1]]])
    graph = dataclasses.replace(graph, entities=names, test=test)
    result = evaluate(table(graph), graph)
    assert result.triples == len(test)
    assert result.seen_triples == len(test) - 1
    assert result.metrics.queries == result.seen_only.queries + 2
    assert result.as_dict()["seen_only"]["triples"] == len(test) - 1


def test_an_empty_split_is_refused(graph: Graph) -> None:
    empty = dataclasses.replace(graph, test=graph.test[:0])
    with pytest.raises(GraphError, match="no test facts"):
        evaluate(table(graph), empty)
