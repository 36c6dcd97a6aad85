"""What every request passes: who may ask, how much, for how long; and the headers of answers."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from collections.abc import MutableMapping
from time import perf_counter
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tucker.serving.counters import Counters
from tucker.serving.limits import Limits

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_OPEN = ("/", "/api/health")  # the page asks for the token; a probe has none
_OWN, _FOREIGN = ("same-origin", "none"), ("same-site", "cross-site")  # in Sec-Fetch-Site
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Turns away strangers and oversized requests, ends slow ones, counts all.

    Without a token only requests to a loopback name are let in, so that a web page elsewhere cannot
    reach the server under a name of its own. What a browser sends for a page of another site is
    refused, and a POST must be JSON, which such a page cannot send unasked.
    """

    def __init__(
        self, app: ASGIApp, *, limits: Limits, counters: Counters, token: str | None
    ) -> None:
        self._app = app
        self._limits = limits
        self._counters = counters
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, answer = perf_counter(), _Answer(send)
        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await refusal(scope, receive, answer)
            else:
                async with asyncio.timeout(self._seconds(scope)):
                    await self._app(scope, _Bounded(receive, self._limits.body_bytes), answer)
        except TimeoutError:
            await answer.instead(problem(503, "this took too long; ask for less"), scope, receive)
        except Exception:
            logging.getLogger("tucker.serving").exception("a request failed")
            await answer.instead(
                problem(500, "the server failed; its log says why"), scope, receive
            )
        finally:
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if route != "other" else "any"
            self._counters.add(method, route, answer.status, perf_counter() - start)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self._token is None:
            if _host(headers.get("host", "")) not in LOOPBACK:
                return problem(403, "this server answers under 127.0.0.1 and localhost only")
        elif not _is_open(scope["path"]):
            kind, _, given = headers.get("authorization", "").partition(" ")
            if kind.lower() != "bearer" or not _equal(given.strip(), self._token):
                refusal = problem(401, "send the token: Authorization: Bearer TOKEN")
                refusal.headers["WWW-Authenticate"] = "Bearer"
                return refusal
        if _is_foreign(scope, headers):
            return problem(403, "this server answers no page of another site")
        if scope["method"] == "POST" and not _is_json(headers.get("content-type", "")):
            return problem(415, "send JSON: Content-Type: application/json")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._limits.body_bytes:
            return _too_large(self._limits.body_bytes)
        return None

    def _seconds(self, scope: Scope) -> float:
        slow = scope["path"] == "/api/discover"
        return self._limits.discovery_seconds if slow else self._limits.seconds


class _Answer:
    """The way out: adds headers, and remembers whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = False
        self.status = 500

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun, self.status = True, message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)

    async def instead(self, response: Response, scope: Scope, receive: Receive) -> None:
        """Send another answer if none has begun."""
        if not self._begun:
            await response(scope, receive, self)


class _Bounded:
    """The way in, with an end: a body without a stated length must not be endless."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most
        self._most = most

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, f"the body is larger than {self._most:,} bytes")
        return message


def problem(status: int, detail: str, **more: Any) -> Response:
    """Return a refusal as JSON, in ASCII so that any text of a client's can stand in it."""
    content = json.dumps({"detail": detail, **more})
    response = Response(content, status, media_type="application/json")
    if status == 503:
        response.headers["Retry-After"] = "1"
    return response


def _too_large(most: int) -> Response:
    return problem(413, f"the body is larger than {most:,} bytes")


def _is_open(path: str) -> bool:
    return path in _OPEN or path.startswith("/page/")


def _is_foreign(scope: Scope, headers: Headers) -> bool:
    """Say whether a browser tells that a page of another site asks; opening ours is no asking.

    No page can set Sec-Fetch-Site, and it holds behind a proxy that changes Host. Browsers send it
    by https and to loopback names only. Without it origins are compared, by name and port: before a
    proxy their schemes differ.
    """
    if _is_open(scope["path"]) and scope["method"] in ("GET", "HEAD"):
        return False
    site = headers.get("sec-fetch-site", "").lower()
    if site in _OWN or site in _FOREIGN:
        return site in _FOREIGN
    origin = headers.get("origin")
    if origin is None:
        return False
    _, _, authority = origin.partition("://")
    return authority.lower() != headers.get("host", "").lower()


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _host(header: str) -> str:
    """Return the name in a Host header, without its port."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].lower()
