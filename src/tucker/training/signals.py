"""Stopping when asked, at a place from which training can go on exactly."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopRequest:
    """Whether Ctrl-C or a polite kill came."""

    def __init__(self) -> None:
        self.made = False


@contextmanager
def stop_request() -> Iterator[StopRequest]:
    """Note SIGINT and SIGTERM instead of breaking off; the second one of a kind breaks off.

    Only the main thread gets signals; in others nothing changes.
    """
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return

    def note(number: int, frame: FrameType | None) -> None:
        request.made = True
        signal.signal(number, before[signal.Signals(number)])

    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}
    for number in signals:
        signal.signal(number, note)
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
