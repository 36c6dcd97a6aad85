from __future__ import annotations

import re
from pathlib import Path

import pytest

import tucker.serving


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("p1", ["p1"]),
        ("person", ["p0"]),
        ("ZERO", ["p0"]),
        ("<IMG", ["p1"]),
        ("slash/ed & #", ["slash/ed & #1"]),
        ("nobody", []),
    ],
)
def test_search_finds_names_and_labels(client, text, names):
    found = client.get("/api/search", params={"q": text}).json()
    assert [one["name"] for one in found][:1] == names


def test_search_finds_relations(client):
    found = client.get("/api/search", params={"q": "acq", "kind": "relation"}).json()
    assert found == [{"name": "knows", "label": "is acquainted with", "facts": 60}]


def test_search_without_text_begins_with_what_has_the_most_facts(client):
    facts = [one["facts"] for one in client.get("/api/search", params={"limit": 100}).json()]
    assert len(facts) == 20
    assert facts == sorted(facts, reverse=True)


def test_relations_are_counted(client):
    found = client.get("/api/relations").json()
    assert {one["name"]: one["facts"] for one in found} == {"knows": 60, "likes": 40, "follows": 40}


def test_the_run_is_told(client, run):
    card = client.get("/api/run").json()
    assert card["config"] == run.config
    assert card["journal"] == run.journal
    assert (card["entities"], card["relations"], card["facts"]) == (20, 3, 140)
    assert card["calibration"] is card["reliability"] is None
    assert not card["facts_calibrated"]


def test_health_and_counts(client):
    assert client.get("/api/health").json()["status"] == "ok"
    client.post("/api/predict", json={"subject": "p0", "relation": "knows"})
    client.get("/nowhere/at/all")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'tucker_requests_total{method="POST",path="/api/predict",status="200"} 1' in answer.text
    assert 'tucker_requests_total{method="any",path="other",status="404"} 1' in answer.text
    assert 'tucker_request_seconds_count{path="/api/predict"} 1' in answer.text
    assert re.search(r"^tucker_rows_total 1$", answer.text, re.MULTILINE)
    sample = re.compile(r'[a-z_]+(\{([a-z]+="[^"]*",?)*\})? [0-9.e+-]+|# (HELP|TYPE) .*')
    assert all(sample.fullmatch(line) for line in answer.text.splitlines())


def test_the_page_needs_nothing_from_elsewhere(client):
    page = Path(tucker.serving.__file__).parent / "page"
    for file in page.iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|innerHTML|insertAdjacentHTML|document\.write", text), file
        assert client.get(f"/page/{file.name}").status_code == 200
    index = client.get("/")
    assert index.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in index.headers["content-security-policy"]


def test_the_head_of_the_page_can_be_asked_for(client):
    head, index = client.head("/"), client.get("/")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(index.content))
