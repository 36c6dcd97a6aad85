"""The API against its own description: whatever Schemathesis thinks of, no fault of ours."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from tucker.serving.app import create_app

HOST = {"Host": "127.0.0.1"}
OPERATIONS = [
    ("/api/predict", "post"),
    ("/api/score", "post"),
    ("/api/discover", "post"),
    ("/api/explain", "post"),
    ("/api/entity", "get"),
    ("/api/neighbours", "get"),
    ("/api/search", "get"),
    ("/api/relations", "get"),
    ("/api/run", "get"),
    ("/api/health", "get"),
    ("/metrics", "get"),
    ("/api/decisions", "get"),
    ("/api/decisions", "post"),
    ("/api/decisions/undo", "post"),
    ("/api/decisions/export", "get"),
]
WITHOUT_INPUT = {"/api/relations", "/api/run", "/api/health", "/metrics"}


@asynccontextmanager
async def _left_open(app):
    yield


@pytest.fixture(scope="module")
def described(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("decisions") / "decisions.sqlite"
    app = create_app(run, decisions=path)
    app.router.lifespan_context = _left_open  # Schemathesis starts and stops it for every call
    yield schemathesis.openapi.from_asgi("/openapi.json", app, headers=HOST)
    app.state.context.close()


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_api_is_as_described(described, path, method, mode):
    if path in WITHOUT_INPUT and mode is GenerationMode.NEGATIVE:
        pytest.skip("there is nothing to get wrong")

    @given(case=described[path][method].as_strategy(generation_mode=mode))
    @settings(
        max_examples=15,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def holds(case):
        case.call_and_validate(headers=HOST)

    holds()


def test_every_operation_is_tried(described):
    operations = [one.ok() for one in described.get_all_operations()]
    assert sorted((one.path, one.method) for one in operations) == sorted(OPERATIONS)


def test_every_question_has_an_example(client):
    described = client.get("/openapi.json").json()
    for body in ("Question", "Fact", "Discovery", "Decision"):
        assert described["components"]["schemas"][body]["examples"]
