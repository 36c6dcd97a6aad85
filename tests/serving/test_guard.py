from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from tests.cli.running import refused, tucker
from tests.serving.conftest import BASE
from tucker.serving.app import create_app
from tucker.serving.engine import Engine
from tucker.serving.limits import Limits

QUESTION = {"subject": "p0", "relation": "knows"}


@pytest.fixture
def locked(run, tmp_path):
    app = create_app(run, decisions=tmp_path / "decisions.sqlite", token="geheim")
    with TestClient(app, base_url="http://example.org") as client:
        yield client


def test_every_answer_has_the_strict_headers(client):
    for path in ("/", "/api/run", "/nowhere", "/api/search?limit=0"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org", "", "[::2]:80"])
def test_without_a_token_only_loopback_names_are_served(client, host):
    answer = client.get("/api/run", headers={"Host": host})
    assert answer.status_code == 403


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST"])
def test_loopback_names_are_served(client, host):
    assert client.get("/api/run", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", ""])
def test_only_json_is_posted(client, kind):
    headers = {} if kind is None else {"Content-Type": kind}
    answer = client.post("/api/predict", content=json.dumps(QUESTION), headers=headers)
    assert (answer.status_code, list(answer.json())) == (415, ["detail"])
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = client.post("/api/predict", content=json.dumps(QUESTION), headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:81"},
        {"Origin": "https://example.org", "Sec-Fetch-Site": "odd"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": BASE, "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_pages_of_other_sites_are_refused(client, headers):
    answer = client.post("/api/predict", json=QUESTION, headers=headers)
    assert (answer.status_code, list(answer.json())) == (403, ["detail"])
    assert client.get("/api/run", headers=headers).status_code == 403
    assert client.get("/", headers=headers).status_code == 200  # a link may lead here


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_our_own_page_may_ask(client, locked, site):
    headers = {"Origin": BASE, "Sec-Fetch-Site": site}
    assert client.post("/api/predict", json=QUESTION, headers=headers).status_code == 200
    headers = {"Origin": "https://example.org", "Authorization": "Bearer geheim"}
    assert locked.post("/api/predict", json=QUESTION, headers=headers).status_code == 200


def test_our_own_page_may_ask_through_a_proxy_that_changes_host(client):
    headers = {"Origin": "https://graph.example.org", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/predict", json=QUESTION, headers=headers).status_code == 200
    rebound = {"Origin": "http://evil.example.org"}  # plain http: a browser says no more
    assert client.post("/api/predict", json=QUESTION, headers=rebound).status_code == 403


@pytest.mark.parametrize(
    "given", [None, "", "Bearer", "Bearer wrong", "Basic Z2VoZWlt", "Bearer é"]
)
def test_the_token_is_needed(locked, given):
    headers = {} if given is None else {"Authorization": given.encode()}
    for path in ("/api/run", "/metrics", "/openapi.json", "/api/decisions/export"):
        answer = locked.get(path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_token_opens(locked):
    headers = {"Authorization": "bearer geheim"}
    assert locked.get("/api/run", headers=headers).status_code == 200
    assert locked.get("/").status_code == 200
    assert locked.get("/page/main.js").status_code == 200
    assert locked.get("/api/health").status_code == 200


def test_a_large_body_is_refused_whether_its_length_is_told_or_not(client):
    content = b" " * (1 << 20) + b"{}"
    headers = {"Content-Type": "application/json"}
    told = client.post("/api/predict", content=content, headers=headers)
    streamed = client.post("/api/predict", content=iter([content, content]), headers=headers)
    assert (told.status_code, streamed.status_code) == (413, 413)


def test_what_takes_too_long_is_ended(run, tmp_path, monkeypatch):
    async def never(self, *_):
        import asyncio

        await asyncio.sleep(60)

    monkeypatch.setattr(Engine, "search", never)
    app = create_app(run, decisions=tmp_path / "d.sqlite", limits=Limits(seconds=0.05))
    with TestClient(app, base_url=BASE) as client:
        answer = client.get("/api/search")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


def test_a_fault_of_ours_tells_a_client_nothing(client, monkeypatch, caplog):
    def broken(self):
        raise RuntimeError("inner workings")

    monkeypatch.setattr(Engine, "relations", broken)
    answer = client.get("/api/relations")
    assert answer.status_code == 500
    assert "inner" not in answer.text
    assert "inner workings" in caplog.text


def test_other_addresses_need_a_token(folder):
    assert "give a --token" in refused(tucker("serve", folder, "--host", "0.0.0.0"))
    for token in ("", " ", "two words", "é"):
        words = ["serve", folder, "--host", "0.0.0.0", "--token", token]
        assert "the token must be" in refused(tucker(*words))


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    assert "is not a run" in refused(tucker("serve", tmp_path, "--port", "0"))
