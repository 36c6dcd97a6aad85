from __future__ import annotations

import pytest

from tucker.errors import BusyError
from tucker.graph import load_graph
from tucker.prediction.export import facts_table, write_facts
from tucker.serving.decisions import Decisions

FACT = {"subject": "p0", "relation": "knows", "object": "p9"}
OTHER = {"subject": "<b>bold</b>", "relation": "likes", "object": "slash/ed & #1"}


def decide(client, fact=FACT, verdict="accepted"):
    answer = client.post("/api/decisions", json={**fact, "verdict": verdict})
    assert answer.status_code == 201
    return answer.json()


def test_the_last_decision_counts(client):
    decide(client)
    last = decide(client, verdict="rejected")
    assert client.get("/api/decisions").json() == [last]
    assert client.get("/api/decisions", params={"verdict": "accepted"}).json() == []


def test_labels_become_names(client):
    decide(client, {"subject": "Person zero", "relation": "is acquainted with", "object": "p9"})
    (kept,) = client.get("/api/decisions").json()
    assert {part: kept[part] for part in FACT} == FACT


def test_undo_takes_back_once(client):
    kept = decide(client)
    assert client.post("/api/decisions/undo", json=FACT).json() == kept
    assert client.get("/api/decisions").json() == []
    assert client.post("/api/decisions/undo", json=FACT).status_code == 404
    decide(client)
    assert len(client.get("/api/decisions").json()) == 1


def test_decisions_of_an_entity(client):
    decide(client)
    decide(client, OTHER)
    found = client.get("/api/decisions", params={"entity": "p9"}).json()
    assert [one["object"] for one in found] == ["p9"]


def test_older_decisions_come_after_the_latest(client):
    ids = [decide(client, FACT | {"object": f"p{i}"})["id"] for i in range(5, 10)]
    first = client.get("/api/decisions", params={"limit": 3}).json()
    rest = client.get("/api/decisions", params={"limit": 3, "before": first[-1]["id"]}).json()
    assert [one["id"] for one in first + rest] == ids[::-1]


@pytest.mark.parametrize("format", ["tsv", "nt"])
def test_exported_facts_read_back_as_they_were(client, tmp_path, format):
    for fact in (FACT, OTHER):
        decide(client, fact)
    decide(client, FACT | {"object": "p10"}, "rejected")
    answer = client.get("/api/decisions/export", params={"format": format})
    assert f'filename="accepted.{format}"' in answer.headers["content-disposition"]
    path = tmp_path / f"accepted.{format}"
    path.write_bytes(answer.content)
    graph = load_graph(path, valid=0, test=0)
    names = {
        (graph.entities.name(s), graph.relations.name(r), graph.entities.name(o))
        for s, r, o in graph.known
    }
    assert names == {tuple(FACT.values()), tuple(OTHER.values())}


def test_a_probability_that_is_sent_is_refused(client):
    body = {**FACT, "verdict": "accepted", "probability": 0.99}
    assert client.post("/api/decisions", json=body).status_code == 422
    assert client.get("/api/decisions").json() == []


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
def test_a_fact_that_the_graph_has_is_not_decided(client, verdict):
    known = {"subject": "Person zero", "relation": "knows", "object": "p1"}
    answer = client.post("/api/decisions", json={**known, "verdict": verdict})
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("the graph has this fact already")
    assert client.get("/api/decisions").json() == []


def test_a_decision_that_cannot_be_scored_is_refused_and_not_kept(client, monkeypatch):
    async def ask(*_, **__):
        raise BusyError("too many questions are waiting; ask again in a moment")

    with monkeypatch.context() as busy:
        busy.setattr("tucker.serving.batcher.Batcher.ask", ask)
        answer = client.post("/api/decisions", json={**FACT, "verdict": "accepted"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert client.get("/api/decisions").json() == []


def test_an_export_has_the_probabilities_of_the_facts(client):
    chances = [decide(client, fact)["probability"] for fact in (FACT, OTHER)]
    lines = client.get("/api/decisions/export").text.splitlines()
    assert lines[0] == "subject\trelation\tobject\tprobability"
    assert lines[1:] == [
        f"p0\tknows\tp9\t{chances[0]}",
        f"<b>bold</b>\tlikes\tslash/ed & #1\t{chances[1]}",
    ]


@pytest.mark.parametrize(
    ("annotation", "word"), [("star", "#reifies>"), ("reified", "#Statement>"), ("none", None)]
)
def test_n_triples_are_those_of_tucker_export(client, tmp_path, annotation, word):
    chance = decide(client)["probability"]
    options = (
        {"format": "nt"} if annotation == "star" else {"format": "nt", "annotation": annotation}
    )
    text = client.get("/api/decisions/export", params=options).content
    table = facts_table([FACT | {"probability": chance}])
    write_facts(table, tmp_path / "f.nt", "nt", annotation=annotation)
    assert text == (tmp_path / "f.nt").read_bytes()
    assert (b"urn:tucker:probability" in text) == (word is not None)
    assert word is None or word.encode() in text


def test_nothing_decided_exports_nothing(client):
    assert client.get("/api/decisions/export").text == "subject\trelation\tobject\tprobability\n"
    assert client.get("/api/decisions/export", params={"format": "nt"}).text == ""


def test_a_file_that_cannot_hold_a_name_is_refused_as_asked_wrongly(client, monkeypatch):
    fact = {"subject": "a\tb", "relation": "r", "object": "o"}
    monkeypatch.setattr(Decisions, "current", lambda self, **_: [fact])
    answer = client.get("/api/decisions/export")
    assert answer.status_code == 422
    assert "has a tab or a line end" in answer.json()["detail"]
    assert client.get("/api/decisions/export", params={"format": "nt"}).status_code == 200
