from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import tucker
from tests.conftest import make_graph
from tucker.errors import SettingsError
from tucker.evaluation import evaluate
from tucker.graph import Answers
from tucker.reasoning.pathnet import PathNetwork
from tucker.training import Trainer, TrainingSettings


def network(graph, **settings):
    torch.manual_seed(3)
    sizes = {"d": 8, "steps": 3, **settings}
    net = PathNetwork(n_e=graph.n_e, n_r=2 * graph.n_r, **sizes)
    net.take_facts(torch.from_numpy(graph.train))
    torch.nn.init.normal_(net.not_reached)
    return net.eval()


def by_formula(net, facts, s, r):
    """Return the scores of all entities for one question, by the formula and NumPy alone."""
    weights = {name: value.detach().double().numpy() for name, value in net.named_parameters()}
    n_r, n_e = net.n_r // 2, net.n_e
    facts = {(a, p, b) for a, p, b in facts if a != b}
    into = {(b, p, a) for a, p, b in facts} | {(a, p + n_r, b) for a, p, b in facts}
    # As the network names a step by how it is walked from the one who hears.
    into = {(hears, (p + n_r) % (2 * n_r), tells) for hears, p, tells in into}
    q = weights["R"][r]
    h = {s: q}
    for t in range(len(net.steps)):
        of = {
            name.split(".", 2)[2]: x
            for name, x in weights.items()
            if name.startswith(f"steps.{t}.")
        }
        w = (of["w.weight"] @ q + of["w.bias"]).reshape(2 * n_r, -1)
        reached = set(h) | {hears for hears, _, tells in into if tells in h}
        after = {}
        for o in reached:
            mine = [(p, u) for hears, p, u in into if hears == o]
            m = sum((h[u] * w[p] for p, u in mine if u in h), np.zeros_like(q)) + (o == s) * q
            m = m / np.sqrt(1 + len(mine))
            old = h.get(o, np.zeros_like(q))
            x = of["A.weight"] @ np.concatenate([old, m]) + of["A.bias"]
            x = (x - x.mean()) / np.sqrt(x.var() + 1e-5) * of["norm.weight"] + of["norm.bias"]
            after[o] = old + np.maximum(x, 0)
        h = after
    scores = np.full(n_e, weights["not_reached"][0])
    for o, vector in h.items():
        x = weights["score_of.0.weight"] @ np.concatenate([vector, q]) + weights["score_of.0.bias"]
        scores[o] = (weights["score_of.2.weight"] @ np.maximum(x, 0))[0] + weights[
            "score_of.2.bias"
        ][0]
    return scores


def test_the_formula_against_numpy(graph):
    net = network(graph)
    s, r = torch.tensor([0, 3, 7, 3]), torch.tensor([0, 4, 2, 1])
    with torch.no_grad():
        found = net.score_objects(s, r)
    for row in range(4):
        expected = by_formula(net, map(tuple, graph.train.tolist()), int(s[row]), int(r[row]))
        assert found[row].numpy() == pytest.approx(expected, abs=1e-4)


def test_facts_and_questions_have_the_same_scores(graph):
    net = network(graph)
    s, r, o = torch.from_numpy(graph.test).T
    with torch.no_grad():
        every = net.score_objects(s, r)
        assert net.score(s, r, o).allclose(every.gather(1, o[:, None]).flatten(), atol=1e-6)


def test_entities_are_known_by_their_edges_alone(graph):
    """Renumbered entities get the same scores."""
    net = network(graph)
    new = torch.randperm(graph.n_e)
    with torch.no_grad():
        before = net.score_objects(
            torch.arange(graph.n_e), torch.zeros(graph.n_e, dtype=torch.long)
        )
        facts = torch.from_numpy(graph.train)
        net.take_facts(torch.stack([new[facts[:, 0]], facts[:, 1], new[facts[:, 2]]], dim=1))
        after = net.score_objects(new, torch.zeros(graph.n_e, dtype=torch.long))
    assert after[:, new].allclose(before, atol=1e-5)


def test_no_path_leads_through_the_fact_that_is_asked():
    """Two islands joined by one fact alone: who asks for it must not see it."""
    graph = make_graph()
    facts = [[a, 0, b] for a, b in ((0, 1), (1, 2), (2, 0), (6, 7), (7, 8), (8, 6))] + [[2, 1, 6]]
    net = network(graph, dropout_edges=0.0)
    net.take_facts(torch.tensor(facts))
    s, r, rows, o = torch.tensor([2]), torch.tensor([1]), torch.tensor([0]), torch.tensor([6])
    with torch.no_grad():
        seen = net.ask(s, net.relations(r), net.entities())[0]
        blind = net.ask_blind(s, net.relations(r), net.entities(), rows, o)[0]
        other = net.ask_blind(s, net.relations(r), net.entities(), rows, torch.tensor([5]))[0]
    silent = float(net.not_reached.detach())
    assert (seen[6:9] != silent).all()
    assert (blind[6:9] == silent).all()  # in both directions
    assert other[6] == -torch.inf  # known, and not asked for


def test_further_entities_are_reached_only_from_the_first(graph):
    net = network(graph, most_entities=2)
    net.take_facts(torch.tensor([[i, 0, (i + 1) % 12] for i in range(12)]))
    with torch.no_grad():
        few = net.score_objects(torch.tensor([4]), torch.tensor([0]))
        net.most_entities = graph.n_e
        every = net.score_objects(torch.tensor([4]), torch.tensor([0]))
    assert (few == net.not_reached).sum() > (every == net.not_reached).sum()


SETTINGS = {
    "epochs": 4,
    "batch_size": 8,
    "group_size": 1,
    "loss": "softmax",
    "most_answers": 1,
    "learning_rate": 0.01,
    "validate_every": 4,
}


def trainer(graph, checkpoint=None, **settings):
    net = network(graph)
    answers = Answers.of(graph.train, graph.n_e, graph.n_r)
    given = TrainingSettings(**{**SETTINGS, **settings})
    return net, Trainer(net, answers, given, seed=0, checkpoint=checkpoint)


def ring():
    """A graph in which one relation goes two steps of another, and a third one three."""
    graph = make_graph(n_e=30)
    facts = [(i, step - 1, (i + step) % 30) for i in range(30) for step in (1, 2, 3)]
    hidden = np.arange(len(facts)) % 9  # facts of two steps
    return replace(graph, train=np.array(facts)[hidden != 1], valid=np.array(facts)[hidden == 1])


@pytest.mark.parametrize("loss", ["softmax", "bernoulli"])
def test_it_learns_what_follows_from_paths(loss):
    graph = ring()
    net, fit = trainer(graph, epochs=40, loss=loss, most_answers=int(loss == "softmax"))
    fit.run()
    assert evaluate(net, graph, "valid").mrr > 0.9


def test_where_nothing_follows_it_stays_at_chance():
    """Objects drawn at random: known facts say nothing of others."""
    graph = make_graph(n_e=40, n_r=2, facts=400)
    net, fit = trainer(graph, epochs=6)
    fit.run()
    chance = sum(1 / rank for rank in range(1, 41)) / 40
    assert evaluate(net, graph, "valid").mrr < 3 * chance


def test_a_training_gone_on_with_ends_as_if_it_had_not_stopped(graph, tmp_path):
    whole, fit = trainer(graph)
    fit.run()
    _, fit = trainer(graph, tmp_path / "checkpoint")
    steps = iter(range(5))
    report = fit._report

    def stop(progress):
        report(progress)
        if next(steps, None) == 4:
            raise RuntimeError("stopped")

    fit._report = stop
    with pytest.raises(RuntimeError, match="stopped"):
        fit.run()
    fit._save()
    again, fit = trainer(graph, tmp_path / "checkpoint")
    fit.resume()
    fit.run()
    for name, value in whole.state_dict().items():
        assert again.state_dict()[name].equal(value), name


def test_it_is_trained_saved_asked_and_added_to_as_any_model(tmp_path):
    graph = ring()
    settings = {"d": 8, "steps": 3, "epochs": 3, "learning_rate": 0.01}
    run = tucker.train(
        graph, "pathnet", rules={"facts": 64, "weight": 0.5}, out=tmp_path / "run",
        progress=False, **settings,
    )  # fmt: skip
    again = tucker.load(tmp_path / "run")
    question = {"subject": "e4", "relation": "r1"}
    answers = again.predict(**question)
    assert [one.as_dict() for one in answers] == [one.as_dict() for one in run.predict(**question)]
    assert again.evaluate("valid").mrr == run.evaluate("valid").mrr
    assert again.discover(k=3)
    assert again.explain("e4", "r1", "e6").as_dict()["facts"] == []


def test_new_facts_and_new_entities_are_used_as_they_are():
    """A network trained on one ring answers for an entity that was not on it."""
    graph = ring()
    run = tucker.train(
        graph, "pathnet", d=8, steps=3, epochs=30, learning_rate=0.01, progress=False
    )
    more = [("new", "r0", "e5"), ("e3", "r0", "new")]
    larger = run.fold_in(more)
    assert larger.predict(subject="new", relation="r1", k=1)[0].object == "e6"
    assert larger.predict(subject="e2", relation="r1", k=2)
    with pytest.raises(SettingsError, match="no vectors of entities"):
        larger.neighbours("new")
