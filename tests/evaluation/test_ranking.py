"""Ranks by counting against a brute-force sort."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from tests.conftest import make_graph
from tucker.evaluation import Metrics, evaluate, rank, ranking
from tucker.graph import Answers, Graph, Ids
from tucker.models import DistMult, Model
from tucker.models.groups import Groups


class Table(Model):
    """Scores from a table, with as many equal ones as a test wants."""

    def __init__(self, scores: Tensor) -> None:
        n_r, n_e, _ = scores.shape
        super().__init__(n_e=n_e, n_r=n_r)
        self.E = torch.nn.Parameter(torch.eye(n_e))
        self.R = torch.nn.Parameter(torch.eye(n_r))
        self.scores = scores

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        return groups.transform(e_s, torch.einsum("gr,rso->gso", w_r, self.scores))


class Counting(Table):
    """Remembers how many questions it was asked."""

    asked = 0

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        self.asked += len(e_s)
        return super().query(e_s, w_r, groups)


def brute_force(scores: Tensor, triples: Ids, known: Ids, n_r: int, ties: str) -> list[list[float]]:
    """Sort the unfiltered candidates of each question, and find the true answer by hand."""
    facts = set(map(tuple, known.tolist()))
    sides: list[list[float]] = [[], []]
    for s, r, o in triples.tolist():
        for side, (asked, relation, true) in enumerate([(s, r, o), (o, r + n_r, s)]):
            table = scores[relation, asked].tolist()
            others = [
                score
                for entity, score in enumerate(table)
                if entity != true
                and ((asked, r, entity) if side == 0 else (entity, r, asked)) not in facts
            ]
            ordered = sorted([*others, table[true]], reverse=True)
            first = ordered.index(table[true]) + 1
            last = len(ordered) - ordered[::-1].index(table[true])
            rank = {"optimistic": first, "pessimistic": last, "realistic": (first + last) / 2}
            sides[side].append(float(rank[ties]))
    return sides


@given(seed=st.integers(0, 40), levels=st.integers(1, 6))
@pytest.mark.parametrize("ties", ["realistic", "optimistic", "pessimistic"])
def test_ranks_are_those_of_a_sort(ties, seed, levels) -> None:  # type: ignore[no-untyped-def]
    graph = make_graph(seed=seed)
    torch.manual_seed(seed)
    scores = torch.randint(levels, (2 * graph.n_r, graph.n_e, graph.n_e)).float()
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    ranks = rank(Table(scores), graph.test, known, graph.n_r)
    expected = brute_force(scores, graph.test, graph.known, graph.n_r, ties)
    assert ranks.ranks(ties).tolist() == expected


def test_blocks_change_nothing(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = torch.randint(4, (2 * graph.n_r, graph.n_e, graph.n_e)).float()
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    whole = rank(Table(scores), graph.train, known, graph.n_r)
    for limit in ("_MOST_OF_A_PRODUCT", "_QUESTIONS", "_COUNTED"):
        monkeypatch.setattr(ranking, limit, 5)
    monkeypatch.setattr(ranking, "_FEWEST_QUERIES", 2)
    parts = rank(Table(scores), graph.train, known, graph.n_r)
    assert (whole.greater == parts.greater).all()
    assert (whole.equal == parts.equal).all()
    assert (whole.candidates == parts.candidates).all()


@pytest.mark.parametrize("most", [3, 40, 512])
def test_a_question_with_many_answers_ranks_each_of_them(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scored once, it is compared with every answer, however many are compared at a time."""
    monkeypatch.setattr(ranking, "_MOST_OF_A_PRODUCT", most)
    monkeypatch.setattr(ranking, "_FEWEST_QUERIES", 2)
    n_e = 60
    torch.manual_seed(0)
    scores = torch.randint(9, (4, n_e, n_e)).float()
    subject, objects = np.repeat([3, 7, 8], [n_e, 5, 1]), np.r_[:n_e, :5, 9]
    facts = np.stack([subject, 0 * subject, objects], axis=1)[
        np.random.default_rng(0).permutation(66)
    ]
    known = facts[::3]
    model = Counting(scores)
    ranks = rank(model, facts, Answers.of(known, n_e, 2), 2)
    assert ranks.ranks().tolist() == brute_force(scores, facts, known, 2, "realistic")
    # Different questions: three about objects, about subjects one an object.
    assert model.asked == 3 + n_e


@pytest.mark.usefixtures("three_threads")
def test_threads_change_nothing(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = torch.randint(4, (2 * graph.n_r, graph.n_e, graph.n_e)).float()
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    alone = rank(Table(scores), graph.train, known, graph.n_r)  # one slice
    monkeypatch.setattr(ranking, "_COUNTED", 3)
    shared = rank(Table(scores), graph.train, known, graph.n_r)
    for name in ("greater", "equal", "candidates"):
        assert (getattr(shared, name) == getattr(alone, name)).all()


def test_targets_that_score_otherwise_on_their_own_change_nothing(graph: Graph) -> None:
    """A product of another shape may round otherwise; the score among all entities counts."""

    class Rounding(Table):
        def meet(self, q: Tensor, objects: Tensor, out: Tensor | None = None) -> Tensor:
            return super().meet(q, objects, out) + (0.5 if out is None else 0.0)

    scores = torch.randint(4, (2 * graph.n_r, graph.n_e, graph.n_e)).float()
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    expected, found = (
        rank(model(scores), graph.train, known, graph.n_r) for model in (Table, Rounding)
    )
    assert (expected.greater == found.greater).all()
    assert (expected.equal == found.equal).all()


@pytest.mark.parametrize("triples", [1, 3, 20, 520])
@pytest.mark.parametrize("n_e", [520, 1025, 2050, 4097])
def test_equal_entities_are_level_wherever_they_are_cut(n_e: int, triples: int) -> None:
    """A product of few rows or columns adds up in another order than one of many."""
    torch.manual_seed(0)
    model = DistMult(n_e=n_e, n_r=2, d_e=30)
    with torch.no_grad():
        model.E[:] = torch.randn(30)
        model.R[:] = torch.randn(2, 30)
    s = np.arange(triples)
    facts = np.stack([s, 0 * s, n_e - 1 - s], axis=1)
    ranks = rank(model, facts, Answers.of(facts[:0], n_e, 1), 1).ranks()
    assert (ranks == (n_e + 1) / 2).all()


def test_a_fact_that_is_known_twice_is_left_out_once(graph: Graph) -> None:
    scores = torch.rand(2 * graph.n_r, graph.n_e, graph.n_e)
    doubled = np.concatenate([graph.known, graph.known])
    once, twice = (
        rank(Table(scores), graph.test, Answers.of(known, graph.n_e, graph.n_r), graph.n_r)
        for known in (graph.known, doubled)
    )
    assert (once.greater == twice.greater).all()


def test_a_score_that_is_no_number_ranks_last(graph: Graph) -> None:
    scores = torch.full((2 * graph.n_r, graph.n_e, graph.n_e), torch.nan)
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    ranks = rank(Table(scores), graph.test, known, graph.n_r)
    assert (ranks.ranks("optimistic") == ranks.candidates).all()


def test_scores_that_are_no_numbers_or_endless() -> None:
    """No number is how known answers are left out: a candidate's own stays one that is ahead."""

    class Given(Model):
        meets_by_product = False

        def __init__(self, scores: list[float]) -> None:
            super().__init__(n_e=len(scores), n_r=2)
            self.E = torch.nn.Parameter(torch.tensor(scores)[:, None])
            self.R = torch.nn.Parameter(torch.zeros(2, 1))

        def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
            return e_s

        def meet(self, q: Tensor, objects: Tensor, out: Tensor | None = None) -> Tensor:
            return objects.repeat(1, len(q))

    model = Given([torch.nan, 1.0, torch.inf, -torch.inf, torch.nan, 1.0])
    asked, known = np.array([[5, 0, 1], [5, 0, 2], [5, 0, 3], [5, 0, 4]]), [[5, 0, 1], [5, 0, 4]]
    ranks = rank(model, asked, Answers.of(np.array(known), 6, 1), 1)
    # Of 6 entities, 1 and 4 are known: each is a candidate where it is itself the answer.
    assert ranks.candidates[0].tolist() == [5, 4, 4, 5]
    assert ranks.greater[0].tolist() == [2, 1, 3, 4]  # 0 is ahead of all, 2 of all but itself
    assert ranks.equal[0].tolist() == [1, 0, 0, 0]  # 5 is level with 1


def test_the_same_score_everywhere_is_no_better_than_chance(graph: Graph) -> None:
    """What a model that says nothing gets: a broken one must not look perfect."""
    scores = torch.zeros(2 * graph.n_r, graph.n_e, graph.n_e)
    assert evaluate(Table(scores), graph).metrics.amri == pytest.approx(0.0)


def test_the_mode_of_the_model_is_left_as_it_was(graph: Graph) -> None:
    model = Table(torch.rand(2 * graph.n_r, graph.n_e, graph.n_e))
    known = Answers.of(graph.known, graph.n_e, graph.n_r)
    for training in (True, False):
        model.train(training)
        rank(model, graph.test, known, graph.n_r)
        assert model.training is training


def test_metrics_by_hand() -> None:
    ranks, candidates = np.array([1.0, 2.0, 4.0, 11.0]), np.array([11, 11, 11, 11])
    metrics = Metrics.of(ranks, candidates)
    assert metrics.queries == 4
    assert metrics.mrr == pytest.approx((1 + 1 / 2 + 1 / 4 + 1 / 11) / 4)
    assert (metrics.hits_at_1, metrics.hits_at_3, metrics.hits_at_10) == (0.25, 0.5, 0.75)
    assert metrics.mean_rank == 4.5
    assert metrics.amri == pytest.approx(1 - (4.5 - 1) / (6 - 1))
    assert Metrics.of(ranks[:0], candidates[:0]).mrr == 0.0
