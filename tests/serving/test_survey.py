"""The best facts of the whole graph: looked for once, in the background."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from tests.serving.routes.test_ask import same
from tucker.errors import BusyError
from tucker.prediction import discover
from tucker.serving import survey as module
from tucker.serving.survey import Survey


@pytest.fixture
def make(run):
    made = []

    def make(*, seconds=60.0, busy=lambda: False):
        made.append(Survey(run, seconds=seconds, busy=busy, initializer=lambda: None))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def held(monkeypatch):
    """A discovery that reports half and goes on when told to; it counts its beginnings."""
    go_on = threading.Event()
    go_on.begun = 0

    def discover(run, *, k, report):
        go_on.begun += 1
        while not go_on.wait(0.01):
            report(0.5)
        return ["found"]

    monkeypatch.setattr(module, "discover", discover)
    monkeypatch.setattr(module, "_WAIT", 0.1)
    yield go_on
    go_on.set()


def found(client, **wanted):
    """Ask until the facts are there."""
    for _ in range(100):
        answer = client.post("/api/discover", json=wanted)
        if answer.status_code != 202:
            return answer.json()
    raise AssertionError("it takes too long")


def kept(survey):
    """Ask until the facts are there."""
    for _ in range(100):
        if facts := asyncio.run(survey.ask()):
            return facts
    raise AssertionError("it takes too long")


def test_the_whole_graph_is_answered_as_the_library_does(client, run):
    same(found(client), discover(run, k=100))
    same(found(client, relation=None, k=7), discover(run, k=7))
    least = discover(run, k=7)[4].probability
    same(found(client, min_probability=least), discover(run, min_probability=least))


def test_it_tells_how_far_it_is_and_looks_once(client, held):
    answers = [client.post("/api/discover", json={"k": 3}) for _ in range(3)]
    assert [one.status_code for one in answers] == [202] * 3
    assert answers[-1].json() == {"done": 0.5}
    assert answers[-1].headers["retry-after"] == "1"
    assert held.begun == 1


def test_what_was_found_is_kept(make, held):
    survey = make()
    assert asyncio.run(survey.ask()) is None
    held.set()
    assert kept(survey) == ["found"]
    assert kept(survey) == ["found"]
    assert held.begun == 1


def test_a_discovery_that_somebody_waits_for_goes_first(make, monkeypatch):
    waited_for, steps = threading.Event(), []

    def steady(run, *, k, report):
        for share in (0.0, 0.5, 1.0):
            report(share)
            steps.append(share)
        return ["found"]

    monkeypatch.setattr(module, "discover", steady)
    monkeypatch.setattr(module, "_WAIT", 0.1)
    waited_for.set()
    survey = make(busy=waited_for.is_set)
    assert asyncio.run(survey.ask()) is None
    assert steps == []
    waited_for.clear()
    assert kept(survey) == ["found"]


def test_it_is_given_up_when_nobody_asks_and_starts_anew(make, held):
    survey = make(seconds=0.2)
    assert asyncio.run(survey.ask()) is None
    work = survey._work
    assert isinstance(work.exception(timeout=10), BusyError)
    held.set()
    assert kept(survey) == ["found"]
    assert held.begun == 2


def test_a_fault_is_told_once_and_does_not_stay(make, monkeypatch, held):
    def broken(run, *, k, report):
        raise RuntimeError("inner workings")

    good = module.discover
    monkeypatch.setattr(module, "discover", broken)
    survey = make()
    with pytest.raises(RuntimeError, match="inner workings"):
        kept(survey)
    monkeypatch.setattr(module, "discover", good)
    held.set()
    assert kept(survey) == ["found"]


@pytest.mark.parametrize("busy", [False, True])
def test_closing_does_not_wait_for_it(make, held, busy):
    survey = make(busy=lambda: busy)
    assert asyncio.run(survey.ask()) is None
    start = time.perf_counter()
    survey.close()
    assert time.perf_counter() - start < 5
    assert isinstance(survey._work.exception(), BusyError)
