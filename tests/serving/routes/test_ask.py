from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

from tucker.errors import BusyError
from tucker.prediction import Neighbours, discover, predict
from tucker.prediction.asker import Asker
from tucker.serving.engine import Engine
from tucker.serving.limits import Limits
from tucker.serving.questions import RowScorer

FACT = {"subject": "p0", "relation": "knows", "object": "p9"}


def same(found, expected):
    """Compare answers; a product of another shape may round otherwise in the last digits."""
    assert [(one["subject"], one["relation"], one["object"], one["rank"]) for one in found] == [
        (one.subject, one.relation, one.object, one.rank) for one in expected
    ]
    for one, other in zip(found, expected, strict=True):
        assert one["score"] == pytest.approx(other.score, abs=1e-4)
        assert one["probability"] == pytest.approx(other.probability, abs=1e-4)
        assert one.get("labels", {}) == other.labels


@pytest.mark.parametrize(
    "question",
    [
        {"subject": "p0", "relation": "knows"},
        {"relation": "likes", "object": "p3"},
        {"subject": "p2", "object": "p11"},
        {"subject": "Person zero", "relation": "is acquainted with"},
        {"subject": "p0", "relation": "knows", "object": None, "k": 1000},
    ],
)
def test_predict_answers_as_the_library_does(client, run, question):
    answer = client.post("/api/predict", json=question)
    assert answer.status_code == 200
    same(answer.json(), predict(run, **question))


def test_scores_say_what_is_known(client, run):
    known = {"subject": "p0", "relation": "knows", "object": "p1"}
    answer = client.post("/api/score", json={"facts": [known, FACT]}).json()
    assert [one["known"] for one in answer] == [True, False]
    ids = [
        [run.graph.entities.id("p0"), run.graph.relations.id("knows"), run.graph.entities.id(o)]
        for o in ("p1", "p9")
    ]
    expected = Asker(run).judge_facts(np.array(ids))
    assert [one["score"] for one in answer] == pytest.approx(expected.scores.tolist(), abs=1e-4)
    chances = [one["probability"] for one in answer]
    assert chances == pytest.approx(expected.chances.tolist(), abs=1e-4)
    assert sorted(one["rank"] for one in answer) == [1, 2]


def test_many_facts_are_scored_in_parts(client):
    answer = client.post("/api/score", json={"facts": [FACT] * 1000})
    assert len(answer.json()) == 1000


def test_many_scores_leave_room_for_questions_and_are_not_given_up_half_done(run, monkeypatch):
    held, answer = threading.Event(), RowScorer.__call__
    engine = Engine(run, Limits(waiting=64, scores=6))

    def hold(scorer, rows):
        held.wait(30)
        return answer(scorer, rows)

    async def ask():
        facts = [tuple(FACT.values())] * 20
        scores = [asyncio.create_task(engine.score(facts)) for _ in range(8)]
        await asyncio.sleep(0.1)
        assert [one.done() for one in scores] == [False] * 6 + [True] * 2
        question = ("p0", "knows", None, 3)
        questions = [asyncio.create_task(engine.predict(*question)) for _ in range(32)]
        await asyncio.sleep(0.1)
        held.set()
        both = (asyncio.gather(*some, return_exceptions=True) for some in (scores, questions))
        return await asyncio.gather(*both)

    monkeypatch.setattr(RowScorer, "__call__", hold)
    try:
        scores, questions = asyncio.run(ask())
    finally:
        held.set()
        engine.close()
    assert [len(one) for one in scores[:6]] == [20] * 6
    assert all(isinstance(one, BusyError) for one in scores[6:])
    assert [len(one) for one in questions] == [3] * 32


def test_discover_answers_as_the_library_does(client, run):
    answer = client.post("/api/discover", json={"relation": "likes", "k": 7})
    same(answer.json(), discover(run, "likes", k=7))


def test_discover_leaves_out_the_improbable(client):
    answer = client.post("/api/discover", json={"relation": "likes", "min_probability": 1.0})
    assert answer.json() == []


def test_the_nearest_entities(client, run):
    found = client.get("/api/neighbours", params={"name": "Person zero", "k": 3}).json()
    expected = Neighbours(run).find("p0", 3)
    assert [one["name"] for one in found] == [one.name for one in expected]
    assert [one["label"] for one in found] == [one.label for one in expected]


def test_an_explanation_has_labels(client):
    answer = client.post("/api/explain", json=FACT | {"k": 3}).json()
    assert len(answer["facts"]) == 3
    assert answer["labels"]["knows"] == "is acquainted with"
    assert answer["labels"]["p0"] == "Person zero"


def test_an_entity_is_known_and_missing(client, run):
    answer = client.get("/api/entity", params={"name": "Person zero", "k": 3}).json()
    assert (answer["name"], answer["label"]) == ("p0", "Person zero")
    groups = {(one["relation"], one["role"]): one for one in answer["known"]}
    assert len(groups) == 6
    assert sorted(one["name"] for one in groups["knows", "subject"]["entities"]) == [
        "p1",
        "p2",
        "p3",
    ]
    assert groups["likes", "object"]["facts"] == 2
    missing = {(one["relation"], one["role"]): one["predictions"] for one in answer["missing"]}
    same(missing["knows", "subject"], predict(run, subject="p0", relation="knows", k=3))
    same(missing["likes", "object"], predict(run, relation="likes", object="p0", k=3))
    best = [one["predictions"][0]["probability"] for one in answer["missing"]]
    assert best == sorted(best, reverse=True)
    assert (answer["asked"], answer["worth_asking"]) == (6, 6)


def test_an_entity_tells_how_many_relations_were_not_asked(client, monkeypatch):
    monkeypatch.setattr("tucker.serving.entity._MOST_RELATIONS", 4)
    answer = client.get("/api/entity", params={"name": "p0"}).json()
    assert len(answer["missing"]) <= 4
    assert (answer["asked"], answer["worth_asking"]) == (4, 6)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/predict", {"subject": "Person zer", "relation": "knows"}),
        ("/api/predict", {"subject": "Person zer", "object": "p1"}),
        ("/api/score", {"facts": [FACT, FACT | {"subject": "Person zer"}]}),
        ("/api/explain", FACT | {"object": "Person zer"}),
    ],
)
def test_a_wrong_name_is_not_found_and_the_nearest_is_named(client, path, body):
    answer = client.post(path, json=body)
    assert answer.status_code == 404
    assert answer.json()["nearest"][0] == "Person zero"
    assert "did you mean 'Person zero'" in answer.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b'{"subject": "\xff"}',
        b"[" * 100_000,
        b'{"subject": "p0", "relation": "knows", "k": 1' + b"0" * 5000 + b"}",
        b'{"subject": "\\ud800", "relation": "knows"}',
        b'{"\\ud800": 1}',
        b'{"subject": "p0"}',
        b'{"subject": "p0", "relation": "knows", "object": "p1"}',
        b'{"subject": "p0", "relation": "knows", "k": 0}',
        b'{"subject": "p0", "relation": "knows", "k": 1001}',
        b'{"subject": "p0", "relation": "knows", "k": "5"}',
        b'{"subject": "p0", "relation": "knows", "depth": 5}',
        b'{"subject": "", "relation": "knows"}',
    ],
    ids=lambda body: body[:20].hex(),
)
def test_a_wrong_body_is_refused(client, body):
    answer = client.post("/api/predict", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["detail"]
