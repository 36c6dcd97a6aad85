from __future__ import annotations

import pytest
import torch

from tests.prediction.conftest import REFLEXIVE, chance, graph_with_loops, make_run, score
from tucker.errors import TuckerError, UnknownNameError
from tucker.prediction import asker, predict

NAMES = [f"e{i}" for i in range(12)]
QUESTIONS = {
    "object": [(s, r) for s in range(12) for r in range(3)],
    "subject": [(r, o) for r in range(3) for o in range(12)],
    "relation": [(s, o) for s in range(12) for o in range(12)],
}


def question(kind, a, b):
    """Put the two given parts of a question by name."""
    if kind == "object":
        return {"subject": f"e{a}", "relation": f"r{b}"}
    if kind == "subject":
        return {"relation": f"r{a}", "object": f"e{b}"}
    return {"subject": f"e{a}", "object": f"e{b}"}


def brute_force(run, kind, a, b):
    """Answer a question one candidate at a time: (fact, score, probability), the best first."""
    n_e, n_r = run.graph.n_e, run.graph.n_r
    known = set(map(tuple, run.graph.known.tolist()))
    found = []
    for x in range(n_r if kind == "relation" else n_e):
        fact = {"object": (a, b, x), "subject": (x, a, b), "relation": (a, x, b)}[kind]
        s, r, o = fact
        itself = s == o and r != REFLEXIVE
        if fact in known or itself:
            continue
        asked = (o, r + n_r, s) if kind == "subject" else fact
        found.append((fact, score(run, *asked), chance(run, *asked)))
    return sorted(found, key=lambda answer: -answer[2 if kind == "relation" else 1])


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_question_against_brute_force(run, kind):
    for given in QUESTIONS[kind]:
        wanted = brute_force(run, kind, *given)
        answers = predict(run, **question(kind, *given), k=1000)
        facts = [(answer.subject, answer.relation, answer.object) for answer in answers]
        assert facts == [(f"e{s}", f"r{r}", f"e{o}") for (s, r, o), _, _ in wanted]
        assert [answer.rank for answer in answers] == list(range(1, len(wanted) + 1))
        assert [a.score for a in answers] == pytest.approx([w[1] for w in wanted], abs=1e-5)
        assert [a.probability for a in answers] == pytest.approx([w[2] for w in wanted], abs=1e-5)


def test_the_questions_leave_out_facts_of_every_split(run):
    """Each split matters in the comparison above."""
    for split in ("train", "valid", "test"):
        for s, r, o in run.graph.split(split).tolist():
            objects = predict(run, subject=NAMES[s], relation=f"r{r}", k=99)
            subjects = predict(run, relation=f"r{r}", object=NAMES[o], k=99)
            relations = predict(run, subject=NAMES[s], object=NAMES[o], k=99)
            assert NAMES[o] not in [answer.object for answer in objects]
            assert NAMES[s] not in [answer.subject for answer in subjects]
            assert f"r{r}" not in [answer.relation for answer in relations]


def test_k_takes_the_first_answers(run):
    every = predict(run, subject="e3", relation="r0", k=1000)
    assert len(every) > 4
    for k in (1, 3, len(every), len(every) + 1):
        assert predict(run, subject="e3", relation="r0", k=k) == every[:k]


def test_one_is_no_answer_to_itself_unless_the_relation_is_reflexive(run):
    loop = {"e5"}  # known already
    for r, name in enumerate(("r0", "r1", "r2")):
        with_itself = {
            entity
            for entity in NAMES
            for answer in predict(run, subject=entity, relation=name, k=99)
            if answer.object == entity
        }
        assert with_itself == (set(NAMES) - loop if r == REFLEXIVE else set())


def test_no_relation_leads_from_one_to_itself_unless_it_is_reflexive(run):
    for name in NAMES:
        answers = predict(run, subject=name, object=name, k=99)
        known = name == "e5"
        assert [answer.relation for answer in answers] == ([] if known else [f"r{REFLEXIVE}"])


def test_shares_of_the_softmax_add_up_to_at_most_one():
    run = make_run("softmax")
    total = sum(answer.probability for answer in predict(run, subject="e3", relation="r0", k=99))
    assert 0 < total < 1  # the known answers have the rest


def test_equal_scores_stand_in_the_order_of_ids():
    run = make_run()
    torch.nn.init.zeros_(run.model.E)
    for asked in ({"subject": "e3", "relation": "r0"}, {"relation": "r2", "object": "e4"}):
        answers = predict(run, **asked, k=99)
        names = [answer.object if "subject" in asked else answer.subject for answer in answers]
        assert names == sorted(names, key=NAMES.index)
        assert {answer.probability for answer in answers} == {0.5}


def test_relations_are_scored_in_blocks(run, monkeypatch):
    whole = predict(run, subject="e0", object="e7", k=9)
    monkeypatch.setattr(asker, "_SCORES", run.graph.n_e)
    parts = predict(run, subject="e0", object="e7", k=9)
    assert [answer.relation for answer in parts] == [answer.relation for answer in whole]
    assert [a.score for a in parts] == pytest.approx([a.score for a in whole], abs=1e-6)
    assert [a.probability for a in parts] == pytest.approx([a.probability for a in whole], abs=1e-6)


def test_nothing_is_left_to_answer():
    """A subject that has every object already."""
    graph = graph_with_loops()
    every = [[3, 0, o] for o in range(12)]
    graph = type(graph)(
        graph.name,
        graph.entities,
        graph.relations,
        train=torch.cat([torch.from_numpy(graph.train), torch.tensor(every)]).unique(dim=0).numpy(),
        valid=graph.valid,
        test=graph.test,
    )
    assert predict(make_run(graph=graph), subject="e3", relation="r0") == []


def test_a_known_fact_in_two_splits_does_not_hide_an_answer():
    """As many answers are left out as there are entities, not as there are lines."""
    graph = graph_with_loops()
    leaking = type(graph)(
        graph.name, graph.entities, graph.relations, graph.train, graph.valid, graph.train[:40]
    )
    run = make_run(graph=leaking)
    for s in range(12):
        answers = predict(run, subject=f"e{s}", relation="r0", k=99)
        assert len(answers) == len(brute_force(run, "object", s, 0))


def test_the_form_for_programs():
    run = make_run()
    labelled = predict(run, subject="Entity one", relation="r0", k=1)[0]
    assert labelled.as_dict() == {
        "subject": "e1",
        "relation": "r0",
        "object": labelled.object,
        "score": labelled.score,
        "probability": labelled.probability,
        "rank": 1,
        "labels": {"subject": "Entity one"},
    }
    assert type(labelled.score) is type(labelled.probability) is float
    bare = next(a for a in predict(run, subject="e2", relation="r0", k=9) if a.object != "e1")
    assert "labels" not in bare.as_dict()


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"subject": "e1"},
        {"relation": "r1"},
        {"object": "e1"},
        {"subject": "e1", "relation": "r1", "object": "e2"},
    ],
)
def test_a_question_gives_two_parts(parts):
    with pytest.raises(TuckerError, match="two of subject, relation and object"):
        predict(make_run(), **parts)


@pytest.mark.parametrize("k", [0, -1])
def test_at_least_one_answer_is_asked_for(k):
    with pytest.raises(TuckerError, match="k must be at least 1"):
        predict(make_run(), subject="e1", relation="r1", k=k)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="no entity 'e99'; did you mean 'e9'"):
        predict(make_run(), subject="e99", relation="r1")
    with pytest.raises(UnknownNameError, match="no relation 'e1'"):
        predict(make_run(), subject="e1", relation="e1")


def test_asking_changes_nothing(run):
    before = {name: value.clone() for name, value in run.model.state_dict().items()}
    predict(run, subject="e1", relation="r0")
    predict(run, subject="e1", object="e2")
    assert all(value.equal(before[name]) for name, value in run.model.state_dict().items())
    assert all(parameter.grad is None for parameter in run.model.parameters())
