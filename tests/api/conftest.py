from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

import tucker
from tests.conftest import make_graph, write_people
from tucker.graph import Graph
from tucker.training import Trainer

TINY = {"d_e": 8, "d_r": 4, "epochs": 3, "validate_every": 1, "progress": False}


@contextmanager
def interrupted_after(epochs: int) -> Iterator[None]:
    """Press Ctrl-C when so many epochs are done."""
    epoch = Trainer._epoch

    def interrupted(self, clock, stop):
        if self._state.epoch > epochs:
            signal.raise_signal(signal.SIGINT)
        epoch(self, clock, stop)

    with mock.patch.object(Trainer, "_epoch", interrupted):
        yield


@pytest.fixture(scope="session")
def drawn() -> Graph:
    return make_graph(n_e=14, facts=160)


@pytest.fixture(scope="session")
def run(drawn) -> tucker.Run:
    """A run in memory."""
    return tucker.train(drawn, **TINY)


@pytest.fixture(scope="session")
def people(tmp_path_factory) -> Path:
    """A file of facts, with labels beside it."""
    return write_people(tmp_path_factory.mktemp("people"), (), {"p0": "Person zero"})


@pytest.fixture(scope="session")
def folder(people, tmp_path_factory) -> Path:
    """A run in a folder."""
    out = tmp_path_factory.mktemp("runs") / "people"
    tucker.train(people, out=out, **TINY)
    return out


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch) -> None:
    """Nothing lands in the checkout."""
    monkeypatch.chdir(tmp_path)
