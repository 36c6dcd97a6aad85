"""The app: routes, refusals, the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from tucker.errors import BusyError, ServingError, TuckerError, UnknownNameError
from tucker.runs import FinishedRun
from tucker.serving.context import Context
from tucker.serving.counters import Counters
from tucker.serving.decisions import Decisions
from tucker.serving.engine import Engine
from tucker.serving.guard import Guard, problem
from tucker.serving.limits import Limits
from tucker.serving.routes import ask, decide, lookup

_PAGE = Path(str(resources.files("tucker.serving").joinpath("page")))


def create_app(
    run: FinishedRun,
    *,
    decisions: Path | str,
    token: str | None = None,
    limits: Limits | None = None,
) -> FastAPI:
    """Return the ASGI app that serves a run; decisions are kept in the SQLite file named."""
    limits = limits or Limits()
    counters = Counters()
    app = FastAPI(
        title="Tucker",
        version=version("tucker"),
        description="Find the missing facts of a knowledge graph.",
        lifespan=_lifespan,
        docs_url=None,  # their pages load scripts from elsewhere; /openapi.json stays
        redoc_url=None,
    )
    app.state.context = Context(Engine(run, limits), Decisions(decisions), counters)
    for part in (ask, lookup, decide):
        app.include_router(part.router)
    app.add_api_route("/", _index, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/page", StaticFiles(directory=_PAGE), name="page")
    app.add_exception_handler(TuckerError, _refused)
    app.add_exception_handler(RequestValidationError, _not_as_described)
    app.add_exception_handler(HTTPException, _http)
    app.add_middleware(Guard, limits=limits, counters=counters, token=token)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.context.close()


async def _index() -> FileResponse:
    return FileResponse(_PAGE / "index.html", headers={"Cache-Control": "no-cache"})


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, UnknownNameError):
        return problem(404, str(error), nearest=error.nearest)
    busy = isinstance(error, BusyError | ServingError)
    return problem(503 if busy else 422, str(error))


async def _not_as_described(request: Request, error: Exception) -> Response:
    """Say where and why, without giving back what was sent."""
    assert isinstance(error, RequestValidationError)
    errors = [
        {"loc": [str(part) for part in one["loc"]], "msg": one["msg"], "type": one["type"]}
        for one in error.errors()
    ]
    first = errors[0]
    return problem(422, f"{'.'.join(first['loc'])}: {first['msg']}", errors=errors)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = 422 if error.status_code == 400 else error.status_code  # a body that is no JSON
    response = problem(status, str(error.detail))
    response.headers.update(error.headers or {})
    return response
