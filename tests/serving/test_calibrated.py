"""A calibrated run behind the API: every probability is calibrated, and it says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from starlette.testclient import TestClient

from tests.serving.conftest import BASE
from tests.serving.routes.test_ask import FACT, same
from tucker.prediction import discover, predict, reliability
from tucker.prediction.asker import Asker
from tucker.prediction.calibration.reliability import fact_reliability
from tucker.runs import FinishedRun
from tucker.runs.chance_curves import CLOSED_BINS, Calibration, Isotonic, Openness, Platt
from tucker.serving.app import create_app

MEANINGS = ("Predicted", "Discovered", "ScoredFact")


@pytest.fixture
def calibrated(run) -> FinishedRun:
    """The run with made-up curves: one of `knows` when objects are asked for, one for the rest."""
    counts = np.random.default_rng(0).integers(1, 30, size=(2, 2 * run.graph.n_r, CLOSED_BINS))
    curves = {run.graph.relations.id("knows"): Platt(0.3, -0.2)}
    counts[0, :, -1] = 0  # of more than sixteen closed entities none were ever open
    counts[1, :, -1] = 30
    openness = Openness(counts.sum(0), counts[0])
    facts = Isotonic((0.0, 0.1, 0.3), (0.0, 0.2, 0.9))
    calibration = Calibration("platt", Platt(0.5, -1.0), curves, openness, facts)
    return replace(run, calibration=replace(calibration, reliability=measured(run, calibration)))


def measured(run, calibration):
    """Measure made-up probabilities, in the form that a run keeps."""
    made_up = replace(run, calibration=calibration)
    answers, facts = reliability(made_up).as_dict(), fact_reliability(made_up).as_dict()
    return {"test": answers, "uncalibrated": reliability(run).as_dict(), "facts": facts}


@pytest.fixture
def client(calibrated, tmp_path) -> Iterator[TestClient]:
    app = create_app(calibrated, decisions=tmp_path / "decisions.sqlite")
    with TestClient(app, base_url=BASE) as client:
        yield client


@pytest.mark.parametrize(
    "question",
    [
        {"subject": "p0", "relation": "knows"},
        {"relation": "likes", "object": "p3"},
        {"subject": "p2", "object": "p11"},
    ],
)
def test_predictions_are_calibrated(client, run, calibrated, question):
    found = client.post("/api/predict", json=question).json()
    same(found, predict(calibrated, **question))
    own = {one.object + one.subject: one.probability for one in predict(run, **question)}
    assert all(
        abs(one["probability"] - own.get(one["object"] + one["subject"], 2)) > 1e-4 for one in found
    )


def test_discoveries_are_calibrated(client, run, calibrated):
    found = client.post("/api/discover", json={"relation": "likes", "k": 7}).json()
    same(found, discover(calibrated, "likes", k=7))
    own = discover(run, "likes", k=1)
    assert abs(found[0]["probability"] - own[0].probability) > 1e-4


@pytest.mark.parametrize("object", ["p9", "p1"])  # a new fact and a known one
def test_scores_are_calibrated(client, calibrated, object):
    (found,) = client.post("/api/score", json={"facts": [FACT | {"object": object}]}).json()
    entities, relations = calibrated.graph.entities, calibrated.graph.relations
    ids = [[entities.id("p0"), relations.id("knows"), entities.id(object)]]
    expected = Asker(calibrated).judge_facts(np.array(ids)).chances
    assert found["known"] == (object == "p1")
    assert found["probability"] == pytest.approx(float(expected[0]), abs=1e-4)


def test_a_discovered_fact_is_scored_as_probable_as_it_was_found(client):
    found = client.post("/api/discover", json={"relation": "likes", "k": 40}).json()
    facts = [{part: one[part] for part in ("subject", "relation", "object")} for one in found]
    scored = client.post("/api/score", json={"facts": facts}).json()
    for one, other in zip(found, scored, strict=True):
        assert one["probability"] == pytest.approx(other["probability"], abs=1e-5)
    chances = [one["probability"] for one in sorted(scored, key=lambda one: one["rank"])]
    assert chances == sorted(chances, reverse=True)


def test_a_decision_has_the_fact_s_own_probability_not_the_answer_s(run, tmp_path):
    open = np.full((2 * run.graph.n_r, CLOSED_BINS), 10)  # of twice as many questions
    half_open = Calibration("platt", Platt(), {}, Openness(2 * open, open))
    app = create_app(replace(run, calibration=half_open), decisions=tmp_path / "d.sqlite")
    with TestClient(app, base_url=BASE) as client:
        answer = client.get("/api/entity", params={"name": "p0", "k": 1}).json()
        (shown,) = answer["missing"][0]["predictions"]
        fact = {part: shown[part] for part in ("subject", "relation", "object")}
        kept = client.post("/api/decisions", json=fact | {"verdict": "accepted"}).json()
        (scored,) = client.post("/api/score", json={"facts": [fact]}).json()
    assert kept["probability"] == pytest.approx(scored["probability"], abs=1e-5)
    assert 0 < kept["probability"] < 0.6 * shown["probability"]


def test_what_is_missing_of_an_entity_is_calibrated(client, calibrated):
    answer = client.get("/api/entity", params={"name": "p0", "k": 3}).json()
    missing = {(one["relation"], one["role"]): one["predictions"] for one in answer["missing"]}
    same(missing["knows", "subject"], predict(calibrated, subject="p0", relation="knows", k=3))


def test_the_run_says_so(client):
    card = client.get("/api/run").json()
    assert (card["calibration"], card["facts_calibrated"]) == ("platt", True)


def test_the_run_says_what_that_is_worth(client, calibrated):
    found = client.get("/api/run").json()["reliability"]
    assert found == calibrated.calibration.reliability
    for one in found.values():
        assert sum(bin["predictions"] for bin in one["bins"]) == one["predictions"]
        assert set(one["bins"][0]) == {"low", "high", "predictions", "probability", "true"}


def test_both_meanings_of_a_probability_are_described(client):
    parts = client.get("/openapi.json").json()["components"]["schemas"]
    said = {name: parts[name]["properties"]["probability"]["description"] for name in MEANINGS}
    assert "given that the question has a missing answer" in said["Predicted"]
    assert "the fact by itself" in said["Discovered"] == said["ScoredFact"]
