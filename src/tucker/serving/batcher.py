"""Questions asked at the same moment, answered together by one thread."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from tucker.errors import BusyError

Question = TypeVar("Question")
Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class _Waiting(Generic[Question, Answer]):
    question: Question
    future: asyncio.Future[Answer]


class Batcher(Generic[Question, Answer]):
    """Collects questions for a moment, at most so many, and has `work` answer them at once.

    The event loop only queues: `work` runs on the batcher's own thread. While one batch is worked
    on the next one gathers, so a busy server needs no waiting at all.
    """

    def __init__(
        self,
        work: Callable[[Sequence[Question]], Sequence[Answer]],
        *,
        most: int,
        waiting: int,
        moment: float = 0.001,
    ) -> None:
        self._work = work
        self._most = most
        self._limit = waiting
        self._moment = moment
        self._queue: deque[_Waiting[Question, Answer]] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self.batches = 0
        self.answered = 0
        self._thread = threading.Thread(target=self._run, name="answers", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        return len(self._queue)

    async def ask(self, questions: Sequence[Question], *, admitted: bool = False) -> list[Answer]:
        """Return the answers in order; other people's questions may be answered between them.

        What was `admitted` before is not turned away, however long the line is.
        """
        loop = asyncio.get_running_loop()
        asked = [_Waiting(one, loop.create_future()) for one in questions]
        with self._changed:
            if self._closed:
                raise BusyError("the server is stopping")
            if not admitted and len(self._queue) + len(asked) > max(self._limit, len(asked)):
                raise BusyError("too many questions are waiting; ask again in a moment")
            self._queue.extend(asked)
            self._changed.notify()
        try:
            return list(await asyncio.gather(*(one.future for one in asked)))
        finally:
            for one in asked:  # nobody waits for what is left after a time-out
                one.future.cancel()

    def close(self) -> None:
        """Answer what is waiting, then end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while batch := self._gather():
            try:
                outcomes: Sequence[Answer | Exception] = self._work([one.question for one in batch])
            except Exception as error:
                outcomes = [error] * len(batch)
            self.batches += 1
            self.answered += len(batch)
            pairs = list(zip(batch, outcomes, strict=True))
            for loop in {one.future.get_loop() for one in batch}:
                try:
                    loop.call_soon_threadsafe(_deliver, pairs, loop)
                except RuntimeError:  # the loop was closed: nobody is there to be told
                    continue

    def _gather(self) -> list[_Waiting[Question, Answer]]:
        """Wait for a question, then a moment for others; nothing means that it is over."""
        batch: list[_Waiting[Question, Answer]] = []
        with self._changed:
            while not batch:
                while not self._queue and not self._closed:
                    self._changed.wait()
                if not self._queue:
                    return []
                end = monotonic() + self._moment
                while len(self._queue) < self._most and not self._closed:
                    if not self._changed.wait(timeout=max(0.0, end - monotonic())):
                        break
                while self._queue and len(batch) < self._most:
                    one = self._queue.popleft()
                    if not one.future.cancelled():
                        batch.append(one)
        return batch


def _deliver(
    pairs: list[tuple[_Waiting[Question, Answer], Answer | Exception]],
    loop: asyncio.AbstractEventLoop,
) -> None:
    for one, outcome in pairs:
        if one.future.get_loop() is not loop or one.future.done():
            continue
        if isinstance(outcome, Exception):
            one.future.set_exception(outcome)
        else:
            one.future.set_result(outcome)
