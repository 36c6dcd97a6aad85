from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

import tucker
from tests.conftest import write_people
from tucker.graph import load_graph
from tucker.runs import FinishedRun, load_run
from tucker.serving.app import create_app

IMAGE = '<img src=x onerror="document.title=1">'
ODD_NAMES = ["<b>bold</b>", "slash/ed & #1"]
LABELS = {"p0": "Person zero", "p1": IMAGE, "knows": "is acquainted with"}
BASE = "http://127.0.0.1"


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """The folder of a run, trained for a moment."""
    graph = load_graph(write_people(tmp_path_factory.mktemp("facts"), ODD_NAMES, LABELS))
    out = tmp_path_factory.mktemp("runs") / "people"
    settings = {"d_e": 16, "d_r": 6, "epochs": 20, "validate_every": 5}
    tucker.train(graph, out=out, progress=False, **settings)
    return out


@pytest.fixture(scope="session")
def run(folder) -> FinishedRun:
    return load_run(folder)


@pytest.fixture
def client(run, tmp_path) -> Iterator[TestClient]:
    app = create_app(run, decisions=tmp_path / "decisions.sqlite")
    with TestClient(app, base_url=BASE) as client:
        yield client
