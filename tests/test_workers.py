"""Slices are shared out among threads that compute with one core each, and meet once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tucker import workers
from tucker.workers import cut, share

pytestmark = pytest.mark.usefixtures("three_threads")


def nothing(worker: int, slices: Sequence[slice]) -> None:
    pass


@given(length=st.integers(0, 5000), most=st.integers(0, 600))
def test_blocks_are_even_and_leave_out_nothing(length: int, most: int) -> None:
    slices = cut(length, most)
    assert [i for piece in slices for i in range(piece.start, piece.stop)] == list(range(length))
    sizes = [piece.stop - piece.start for piece in slices]
    assert max(sizes) <= max(1, most)
    assert max(sizes) - min(sizes) <= 1
    assert len(slices) == 1 or len(slices) % 3 == 0 or min(sizes) < 2 * workers._SHORTEST


def test_there_is_a_block_for_each_thread_unless_they_get_short() -> None:
    assert [len(cut(length, 300)) for length in (300, 301, 900, 901)] == [1, 3, 3, 6]
    assert len(cut(140, 130)) == 2  # three would have less than 64 each


def test_each_thread_does_its_blocks_alone_and_in_order() -> None:
    together = threading.Barrier(3, timeout=30)

    def work(worker: int, slices: Sequence[slice]) -> tuple[int, list[int], int, bool]:
        together.wait()  # all three at once
        torch.ones(1 << 16).add_(1)  # the first operation of a thread may set its threads
        return worker, [b.start for b in slices], torch.get_num_threads(), torch.is_grad_enabled()

    done = share(work, cut(600, 100))
    assert done == [(0, [0, 100], 1, False), (1, [200, 300], 1, False), (2, [400, 500], 1, False)]
    assert torch.get_num_threads() == 3  # those of everybody else are as before


def test_a_single_block_is_done_on_the_spot() -> None:
    assert share(lambda worker, slices: threading.get_ident(), cut(5, 10)) == [
        threading.get_ident()
    ]


def test_one_thread_does_it_itself() -> None:
    torch.set_num_threads(1)
    done = share(lambda worker, slices: (threading.get_ident(), len(slices)), cut(600, 100))
    assert done == [(threading.get_ident(), 6)]


def test_threads_made_later_compute_with_as_many_as_before() -> None:
    share(nothing, cut(600, 100))
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    assert seen == [3]


def test_many_that_begin_at_once_have_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(20):
        monkeypatch.setattr(workers, "_pools", workers._Pools())  # so that threads are started
        with ThreadPoolExecutor(8) as pool:
            counts = list(pool.map(lambda _: len(share(nothing, cut(600, 100))), range(8)))
        assert counts == [3] * 8


def test_what_a_thread_raises_is_raised_when_all_are_done() -> None:
    done = []

    def work(worker: int, slices: Sequence[slice]) -> None:
        if worker == 0:
            raise ValueError("slice")
        time.sleep(0.2)
        done.append(worker)

    with pytest.raises(ValueError, match="slice"):
        share(work, cut(600, 100))
    assert sorted(done) == [1, 2]


def test_threads_that_cannot_start_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_pools", workers._Pools())
    start, started = threading.Thread.start, []

    def few(thread: threading.Thread) -> None:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", few)
        with pytest.raises(RuntimeError, match="start"):
            share(nothing, cut(600, 100))
    for thread in started:
        thread.join(30)
        assert not thread.is_alive()
    assert torch.get_num_threads() == 3
    assert len(share(nothing, cut(600, 100))) == 3  # the next time may be better


def test_what_is_written_in_inference_mode_can_be() -> None:
    with torch.inference_mode():
        into = torch.zeros(600)

        def work(worker: int, slices: Sequence[slice]) -> None:
            for piece in slices:
                into[piece] += 1

        share(work, cut(600, 100))
    assert into.sum() == 600


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    code = """
import os, torch
torch.set_num_threads(2)
from tucker.workers import cut, share
def count(): return len(share(lambda worker, slices: None, cut(600, 100)))
assert count() == 2
if os.fork() == 0:
    os._exit(0 if count() == 2 else 1)
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["0"]
