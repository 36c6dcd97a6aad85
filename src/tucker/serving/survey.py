"""The most probable new facts of the whole graph, found once and kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic

from tucker.errors import BusyError
from tucker.prediction import Prediction, discover
from tucker.runs import FinishedRun
from tucker.serving.limits import MOST_ANSWERS

_WAIT = 0.5  # seconds that a request waits: small graphs need no second one
_PAUSE = 0.05  # seconds between looks whether it is there, or may go on


class Survey:
    """A discovery of the whole graph, which takes longer than a request may.

    The first request starts it, on a thread of its own; the facts, as many as anyone may ask for,
    are kept for all later ones. It steps aside while `busy`, and gives up when nobody has asked for
    so many seconds; who asks then, or after a fault, starts it anew.
    """

    def __init__(
        self,
        run: FinishedRun,
        *,
        seconds: float,
        busy: Callable[[], bool],
        initializer: Callable[[], None],
    ) -> None:
        self.done = 0.0
        self._run = run
        self._seconds = seconds
        self._busy = busy
        self._thread = ThreadPoolExecutor(1, "survey", initializer=initializer)
        self._work: Future[list[Prediction]] | None = None
        self._asked_at = 0.0
        self._stopped = threading.Event()

    async def ask(self) -> list[Prediction] | None:
        """Return the facts, the best first; or None while they are looked for: `done` says how far.

        Only the event loop calls this.
        """
        self._asked_at = monotonic()
        until = self._asked_at + _WAIT
        if self._work is None or self._is_given_up():
            self.done = 0.0
            self._work = self._thread.submit(self._find)
        work = self._work
        while not work.done() and monotonic() < until:
            await asyncio.sleep(_PAUSE)
        if not work.done():
            return None
        if work.exception() is not None:
            self._work = None
        return work.result()

    def close(self) -> None:
        """Stop looking and end the thread."""
        self._stopped.set()
        self._thread.shutdown(cancel_futures=True)

    def _is_given_up(self) -> bool:
        work = self._work
        return work is not None and work.done() and isinstance(work.exception(), BusyError)

    def _find(self) -> list[Prediction]:
        return discover(self._run, k=MOST_ANSWERS, report=self._go_on)

    def _go_on(self, done: float) -> None:
        self.done = done
        while self._busy() and not self._stopped.wait(_PAUSE):
            continue
        if self._stopped.is_set():
            raise BusyError("the server is stopping")
        if monotonic() - self._asked_at > self._seconds:
            raise BusyError("nobody asks for these facts any more")
