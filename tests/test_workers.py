"""Blocks are shared out among threads that compute with one core each, and meet once."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tucker.workers import Workers


@pytest.fixture
def three(three_threads: None) -> Workers:
    return Workers()


@given(length=st.integers(0, 500), most=st.integers(0, 60), count=st.integers(1, 9))
def test_blocks_are_even_and_leave_out_nothing(length: int, most: int, count: int) -> None:
    workers = Workers()
    workers.count = count
    blocks = workers.cut(length, most)
    assert [i for block in blocks for i in range(block.start, block.stop)] == list(range(length))
    sizes = [block.stop - block.start for block in blocks]
    assert max(sizes) <= max(1, most)
    assert max(sizes) - min(sizes) <= 1
    assert len(blocks) <= count or len(blocks) % count == 0


def test_each_thread_does_its_blocks_alone_and_in_order(three: Workers) -> None:
    together = threading.Barrier(3, timeout=30)

    def work(worker: int, blocks: Sequence[slice]) -> tuple[int, list[int], int, bool]:
        together.wait()  # all three at once
        torch.ones(1 << 16).add_(1)  # the first operation of a thread may set its threads
        return worker, [b.start for b in blocks], torch.get_num_threads(), torch.is_grad_enabled()

    done = three.share(work, three.cut(12, 2))
    assert done == [(0, [0, 2], 1, False), (1, [4, 6], 1, False), (2, [8, 10], 1, False)]
    assert torch.get_num_threads() == 3  # those of everybody else are as before


def test_a_single_block_is_done_at_once(three: Workers) -> None:
    thread = three.share(lambda worker, blocks: threading.current_thread(), three.cut(5, 10))
    assert thread == [threading.current_thread()]


def test_threads_made_later_compute_with_as_many_as_before(three: Workers) -> None:
    three.share(lambda worker, blocks: None, three.cut(12, 2))
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    assert seen == [3]


def test_what_a_thread_raises_is_raised(three: Workers) -> None:
    def work(worker: int, blocks: Sequence[slice]) -> None:
        if worker == 1:
            raise ValueError("block")

    with pytest.raises(ValueError, match="block"):
        three.share(work, three.cut(12, 2))


def test_threads_end_with_their_owner() -> None:
    code = """
import threading, torch
torch.set_num_threads(2)
from tucker.workers import Workers
workers = Workers()
workers.share(lambda worker, blocks: None, workers.cut(8, 2))
named = [t for t in threading.enumerate() if t.name.startswith("tucker-worker")]
del workers
[thread.join(30) for thread in named]
print(len(named), [t.is_alive() for t in named])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split(maxsplit=1) == ["2", "[False, False]\n"]
