"""A server under load: discoveries do not hold up questions, and memory does not grow."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from tests.conftest import make_graph
from tests.serving.conftest import BASE
from tests.serving.server import Server
from tucker.mixture import build_model
from tucker.runs import FinishedRun
from tucker.serving.app import create_app
from tucker.serving.limits import Limits

CONFIG = {
    "graph": "drawn",
    "model": {"name": "tucker", "d_e": 8, "d_r": 4},
    "training": {"loss": "softmax"},
}
SECONDS = 2.0  # that a discovery may take


@pytest.fixture(scope="module")
def endless() -> FinishedRun:
    """An untrained run where a discovery takes much longer than it may: all facts are alike."""
    graph = make_graph(n_e=30_000, n_r=1, facts=100)
    return FinishedRun(None, CONFIG, graph, build_model(CONFIG, graph).eval(), {}, [])


@pytest.fixture
def client(endless, tmp_path) -> Iterator[TestClient]:
    limits = Limits(discovery_seconds=SECONDS)
    app = create_app(endless, decisions=tmp_path / "decisions.sqlite", limits=limits)
    with TestClient(app, base_url=BASE) as client:
        yield client


def test_a_discovery_ends_with_its_time_and_questions_are_answered_beside_it(client):
    questions = [{"subject": f"e{i}", "relation": "r0"} for i in range(20)]
    client.post("/api/predict", json=questions[0])
    with ThreadPoolExecutor(1) as other:
        start = perf_counter()
        discovery = other.submit(client.post, "/api/discover", json={"relation": "r0", "k": 1000})
        answered = []
        for question in questions:
            asked = perf_counter()
            assert client.post("/api/predict", json=question).status_code == 200
            answered.append(perf_counter() - asked)
        assert not discovery.done()
        refused = discovery.result(timeout=60)
        taken = perf_counter() - start
    assert max(answered) < SECONDS / 2
    assert refused.status_code == 503
    assert refused.json()["detail"] == "this took too long; ask for less"
    assert refused.headers["retry-after"] == "1"
    assert SECONDS <= taken < SECONDS + 5


def test_questions_are_answered_beside_a_survey_and_the_server_stops_at_once(endless, tmp_path):
    questions = [{"subject": f"e{i}", "relation": "r0"} for i in range(20)]
    app = create_app(endless, decisions=tmp_path / "decisions.sqlite")
    with TestClient(app, base_url=BASE) as client:
        client.post("/api/predict", json=questions[0])
        assert client.post("/api/discover", json={}).status_code == 202
        answered = []
        for question in questions:
            asked = perf_counter()
            assert client.post("/api/predict", json=question).status_code == 200
            answered.append(perf_counter() - asked)
        underway = client.post("/api/discover", json={"k": 5})
        assert underway.status_code == 202
        assert 0 <= underway.json()["done"] < 1
        start = perf_counter()
    assert max(answered) < SECONDS / 2
    assert perf_counter() - start < 5


def requests() -> Iterator[tuple[str, str, object]]:
    """Ask all kinds of things without end, most of them about other names than before."""
    for i in count():
        person, other = f"p{i % 18}", f"p{i // 18 % 18}"
        fact = {"subject": person, "relation": "knows", "object": other}
        yield "POST", "/api/predict", {"subject": person, "relation": "likes", "k": 1 + i % 10}
        yield "POST", "/api/score", {"facts": [fact]}
        yield "GET", f"/api/entity?name={person}&k=2", None
        yield "GET", f"/api/search?q={i}", None
        yield "GET", f"/nowhere/{i}", None
        yield "POST", "/api/predict", {"subject": f"nobody {i}", "relation": "knows"}


def resident_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024


def ask(url: str, some: list[tuple[str, str, object]]) -> set[int]:
    """Ask over one connection; return the statuses of the answers."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    statuses = set()
    for method, path, body in some:
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        answer.read()
        statuses.add(answer.status)
    connection.close()
    return statuses


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_memory_does_not_grow_with_the_number_of_requests(folder, tmp_path):
    endless, sizes = requests(), []
    with (
        Server(folder, "--decisions", tmp_path / "decisions.sqlite") as server,
        ThreadPoolExecutor(8) as clients,
    ):
        for _ in range(3):
            parts = [(server.url, list(islice(endless, 126))) for _ in range(8)]
            assert set().union(*clients.map(ask, *zip(*parts, strict=True))) == {200, 404}
            sizes.append(resident_mb(server.process.pid))
    assert sizes[-1] - sizes[0] < 4  # what 2,000 requests may add: 2 kB each
