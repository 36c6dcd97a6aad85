"""Threads that each take their slices of a large piece of work through all of its operations.

Torch cuts every single operation among its threads and lets them meet at its end. Here they meet
once, when all of their slices are done (`docs/decisions/0015-workers.md`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise, repeat
from threading import Barrier, Lock
from typing import TypeVar

import torch

Piece = TypeVar("Piece")
Result = TypeVar("Result")

_SHORTEST = 64  # of the slices that are cut for the sake of having one a thread
_PATIENCE = 60.0  # seconds for threads to start


def cut(length: int, most: int) -> list[slice]:
    """Cut a length into even slices of at most `most`: one, or as many for each thread."""
    slices = max(1, -(-length // max(1, most)))
    if slices > 1:
        threads = _count()
        as_many = -(-slices // threads) * threads
        slices = max(slices, min(as_many, length // _SHORTEST))
    return _even(length, slices)


def share(work: Callable[[int, Sequence[Piece]], Result], slices: Sequence[Piece]) -> list[Result]:
    """Call `work` with its number and its slices in as many threads as torch may use here.

    Each computes with one core and records no gradients; a single slice is done on the spot. Who
    does which slice follows from their numbers alone, so sums repeat to the last bit.
    """
    threads = _count()
    if min(threads, len(slices)) <= 1:
        return [work(0, slices)]
    inference = torch.is_inference_mode_enabled()

    def apart(worker: int, some: slice) -> Result:
        with torch.inference_mode(inference), torch.no_grad():
            return work(worker, slices[some])

    pool, shares = _pools.get(threads), _even(len(slices), min(threads, len(slices)))
    done = [pool.submit(apart, worker, some) for worker, some in enumerate(shares)]
    wait(done)  # all of them, also if one fails: they write where others will
    return [one.result() for one in done]


class _Pools:
    """The threads of this process, for each number of them that was asked for."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._pools: dict[int, ThreadPoolExecutor] = {}

    def get(self, count: int) -> ThreadPoolExecutor:
        with self.lock:
            if count not in self._pools:
                self._pools[count] = _started(count)
            return self._pools[count]


def _count() -> int:
    """Return how many threads torch may use where this is asked."""
    with _pools.lock:  # a thread that asks for the first time is told what was set last
        return torch.get_num_threads()


def _started(count: int) -> ThreadPoolExecutor:
    """Start threads that compute with one core each."""
    before = torch.get_num_threads()
    pool, ready = ThreadPoolExecutor(count, "tucker-worker"), Barrier(count, timeout=_PATIENCE)
    try:
        list(pool.map(_compute_alone, repeat(ready, count)))
    except BaseException:
        ready.abort()
        pool.shutdown(wait=False)
        raise
    finally:
        torch.set_num_threads(before)  # what a thread sets counts for all that come after it
    return pool


def _compute_alone(ready: Barrier) -> None:
    torch.get_num_threads()  # a thread's first question sets it to what was set last
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)  # as in training, where they are slow
    ready.wait()  # so that each thread gets one of these


def _even(length: int, count: int) -> list[slice]:
    """Cut a length into so many even parts."""
    edges = [length * i // count for i in range(count + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges)]


def _forget() -> None:
    """Begin anew in a forked process, which has none of the threads."""
    global _pools  # noqa: PLW0603
    _pools = _Pools()


_pools = _Pools()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
