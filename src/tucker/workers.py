"""Threads that each take their blocks of a large piece of work through all of its operations.

Torch cuts every single operation among its threads and lets them meet at its end. Where one takes
half a millisecond that costs a fifth of the time, more if other programs hold up one of the
threads. Here they meet once, when all of their blocks are done (`docs/decisions/0015-workers.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier
from typing import TypeVar

import torch

Result = TypeVar("Result")


class Workers:
    """As many threads as torch may use where they are first wanted; each computes with one."""

    def __init__(self) -> None:
        self.count = torch.get_num_threads()
        self._threads: ThreadPoolExecutor | None = None

    def cut(self, length: int, most: int) -> list[slice]:
        """Cut a length into even blocks of at most `most`; if there are many, as many a thread."""
        blocks = max(1, -(-length // max(1, most)))
        if blocks > self.count:
            blocks = self.count * -(-blocks // self.count)
        return _even(length, blocks)

    def share(
        self, work: Callable[[int, Sequence[slice]], Result], blocks: Sequence[slice]
    ) -> list[Result]:
        """Call `work` in each thread with its number and its blocks; no gradients are recorded.

        Who does which block follows from their number alone, so sums repeat to the last bit.
        """
        shares = [blocks[some] for some in _even(len(blocks), min(self.count, len(blocks)))]
        if len(shares) <= 1:
            return [work(0, blocks)]
        return list(self._started().map(torch.no_grad()(work), range(len(shares)), shares))

    def _started(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self.count, "tucker-worker")
            ready = Barrier(self.count)  # so that each thread gets one of these
            list(self._threads.map(lambda _: _compute_alone(ready), range(self.count)))
            torch.set_num_threads(self.count)  # it was set to 1 for threads to come as well
        return self._threads


def _even(length: int, count: int) -> list[slice]:
    """Cut a length into so many even parts."""
    edges = [length * i // count for i in range(count + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges)]


def _compute_alone(ready: Barrier) -> None:
    """Keep torch to one core in this thread."""
    torch.get_num_threads()  # a thread's first question sets it to what others have
    torch.set_num_threads(1)
    ready.wait()
