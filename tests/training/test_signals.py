"""Ctrl-C and a polite kill are noted, once."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from tucker.training.signals import stop_request


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_noted_and_the_handlers_come_back(number):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stop_request() as request:
        assert not request.made
        os.kill(os.getpid(), number)
        assert request.made
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_the_second_of_a_kind_breaks_off():
    with pytest.raises(KeyboardInterrupt), stop_request():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)


def test_another_thread_gets_no_signals():
    seen = []

    def work() -> None:
        before = signal.getsignal(signal.SIGINT)
        with stop_request() as request:
            seen.append((request.made, signal.getsignal(signal.SIGINT) is before))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [(False, True)]
