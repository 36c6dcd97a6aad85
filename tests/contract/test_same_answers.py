"""The same questions have the same answers by command line, from Python and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

import tucker
from tests.cli.running import tucker as command
from tucker.runs import load_run
from tucker.serving.app import create_app

TWINS = 60  # entities that have the vectors of others, so that their scores tie
FACTS, QUESTIONS = 500, 200
K = 12

Said = list[dict[str, Any]]


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """A run of the bundled graph in which some entities cannot be told apart."""
    graph = tucker.load_graph("world")
    run = tucker.train(graph, d_e=20, d_r=10, epochs=10, validate_every=10, progress=False)
    ids = np.random.default_rng(0).permutation(graph.n_e)[: 2 * TWINS]
    run.model.E.data[ids[:TWINS]] = run.model.E.data[ids[TWINS:]]
    path = tmp_path_factory.mktemp("runs") / "trained"
    run.save(path)
    return path


@pytest.fixture(scope="module", params=[None, "isotonic"], ids=str)
def folder(request, trained, tmp_path_factory) -> Path:
    """Its folder, uncalibrated and calibrated."""
    if request.param is None:
        return trained
    run = tucker.load(trained)
    path = tmp_path_factory.mktemp("runs") / request.param
    run.save(path)
    run.calibrate(request.param)
    return path


@pytest.fixture(scope="module")
def run(folder) -> tucker.Run:
    return tucker.load(folder)


@pytest.fixture(scope="module")
def client(folder, tmp_path_factory) -> Iterator[TestClient]:
    decisions = tmp_path_factory.mktemp("decisions") / "decisions.sqlite"
    with TestClient(
        create_app(load_run(folder), decisions=decisions), base_url="http://127.0.0.1"
    ) as client:
        yield client


@pytest.fixture
def _loaded_once(monkeypatch) -> None:
    """Two hundred commands load their run from the disk once."""
    monkeypatch.setattr("tucker.api.run.load_run", cache(load_run))


def facts(run: tucker.Run) -> list[tuple[str, str, str]]:
    """Draw known facts, others of known pairs of names, and some of an entity with itself."""
    graph, random = run.graph, np.random.default_rng(1)
    drawn = random.permutation(graph.known)[:FACTS]
    other = random.random(FACTS) < 0.6
    drawn[other, 2] = random.integers(graph.n_e, size=int(other.sum()))
    drawn[:10, 2] = drawn[:10, 0]
    distinct = np.unique(drawn, axis=0)
    return [
        (graph.entities.name(s), graph.relations.name(r), graph.entities.name(o))
        for s, r, o in random.permutation(distinct).tolist()
    ]


def questions(run: tucker.Run) -> list[dict[str, str]]:
    """Draw questions for objects, subjects and relations."""
    graph, random = run.graph, np.random.default_rng(2)
    asked = []
    for i, (s, r, o) in enumerate(random.permutation(graph.known)[:QUESTIONS].tolist()):
        parts = {
            "subject": graph.entities.name(s),
            "relation": graph.relations.name(r),
            "object": graph.entities.name(o),
        }
        del parts[("object", "subject", "relation")[i % 3]]
        asked.append(parts)
    return asked


def same(said: Said, others: Said) -> None:
    """Compare what was said: other shapes of the same products may round otherwise."""
    names = "subject", "relation", "object", "rank", "known", "labels"
    assert [[one.get(name) or None for name in names] for one in said] == [
        [one.get(name) or None for name in names] for one in others
    ]
    for name in ("score", "probability"):
        assert [one[name] for one in said] == pytest.approx(
            [one[name] for one in others], rel=1e-4, abs=1e-6
        )


@pytest.mark.usefixtures("_loaded_once")
def test_facts_have_the_same_ranks_and_probabilities(run, folder, client, tmp_path):
    given = facts(run)
    assert len(given) > FACTS - 20
    path = tmp_path / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in given), encoding="utf-8")
    python = [one.as_dict() for one in run.score_file(path)]
    assert sorted(one["rank"] for one in python) == list(range(1, len(given) + 1))
    same(command("score", folder, path, "--json").json(), python)
    body = {"facts": [dict(zip(("subject", "relation", "object"), f, strict=True)) for f in given]}
    same(client.post("/api/score", json=body).json(), python)


@pytest.mark.usefixtures("_loaded_once")
def test_questions_have_the_same_answers(run, folder, client):
    ties = 0
    for question in questions(run):
        python = [one.as_dict() for one in run.predict(**question, k=K)]
        scores = [one["score"] for one in python]
        ties += sum(abs(a - b) < 1e-5 for a, b in pairwise(scores))
        words = [word for part, name in question.items() for word in (f"--{part}", name)]
        same(command("predict", folder, *words, "-k", K, "--json").json(), python)
        same(client.post("/api/predict", json={**question, "k": K}).json(), python)
    assert ties > 20


def test_questions_asked_together_have_the_answers_they_have_alone(run, client):
    """The page asks all questions about an entity at once."""
    for name in run.graph.entities.names[:30]:
        for group in client.get("/api/entity", params={"name": name, "k": K}).json()["missing"]:
            question = {group["role"]: name, "relation": group["relation"]}
            same(group["predictions"], [one.as_dict() for one in run.predict(**question, k=K)])
