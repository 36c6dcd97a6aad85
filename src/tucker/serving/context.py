"""What the routes share: the engine, the decisions, and what they may answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, Request

from tucker.serving.counters import Counters
from tucker.serving.decisions import Decisions
from tucker.serving.engine import Engine
from tucker.serving.schemas import Problem

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Context:
    """Everything that an app holds; decisions wait for a disk, on a thread of their own."""

    engine: Engine
    decisions: Decisions
    counters: Counters
    _disk: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "decisions"))

    async def on_disk(self, work: Callable[[Decisions], Result]) -> Result:
        """Do something with the decisions, off the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._disk, lambda: work(self.decisions))

    def close(self) -> None:
        """Finish what was asked, and close the file of decisions."""
        self.engine.close()
        self._disk.shutdown()
        self.decisions.close()


async def _context(request: Request) -> Context:
    return cast(Context, request.app.state.context)


InContext = Annotated[Context, Depends(_context)]


def problems(*more: int) -> dict[int | str, dict[str, Any]]:
    """Describe the refusals of a route: those that any may give, and its own."""
    about = {
        401: "The token is missing or wrong.",
        403: "The server answers under loopback names only, and no page of another site.",
        404: "The graph has no such name; the nearest ones are given.",
        409: "The graph has the fact already.",
        413: "The body is too large.",
        415: "The body is not said to be JSON.",
        422: "The request is not as described here.",
        503: "The server is busy, or the answer took too long.",
    }
    return {
        status: {"model": Problem, "description": about[status]}
        for status in (401, 403, 413, 415, 422, 503, *more)
    }
