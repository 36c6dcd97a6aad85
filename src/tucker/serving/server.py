"""A server process: an address, Uvicorn, and a graceful end."""

from __future__ import annotations

import asyncio
import errno
import re
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tucker.errors import ServingError
from tucker.serving.guard import LOOPBACK

_CONNECTIONS = 1000  # at a time; more are turned away
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]+")  # what a Bearer header can hold
_IDLE = 30  # seconds that a connection may be open without a request
_GRACE = 10  # seconds for the requests under way when the server is told to stop


def check_address(host: str, token: str | None) -> None:
    """Refuse to serve strangers without a token."""
    if token is not None and not _TOKEN.fullmatch(token):
        raise ServingError("the token must be letters, digits or -._~+/= without spaces")
    if host not in LOOPBACK and token is None:
        raise ServingError(
            f"{host} can be reached by others: give a --token, or serve on 127.0.0.1"
        )


def bind(host: str, port: int) -> socket.socket:
    """Take an address; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named so that asyncio sends answers at once: it cost 40 ms each otherwise.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        elsewhere = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        raise ServingError(
            f"{host}:{port} cannot be served on: {error.strerror or error}; "
            f"give another {'--host' if elsewhere else '--port'}"
        ) from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Return where a browser finds the server."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: FastAPI, listener: socket.socket, *, started: Callable[[], None]) -> None:
    """Serve until interrupted or terminated; requests under way are finished first."""
    server = _Server(_config(app), started)
    # Uvicorn raises the signal again when it is done: that must not end the process otherwise.
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, before)
        listener.close()


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=_Connection,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=_IDLE,
    )


class _Connection(HttpToolsProtocol):
    """A connection that is closed when it has begun no request for a while.

    Uvicorn's own time limit starts with an answer and ends with any byte: who sends nothing, or
    half a head, would keep a place for good.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch."""
        super().connection_made(transport)
        self._watch = self.loop.call_later(_IDLE, self._look, (None, True))

    def connection_lost(self, exc: Exception | None) -> None:
        """Watch no longer."""
        self._watch.cancel()
        super().connection_lost(exc)

    def _look(self, before: tuple[RequestResponseCycle | None, bool]) -> None:
        """Close it if it is idle, and was so at the last look after the same request."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and before == (self.cycle, True):
            self.transport.close()
        else:
            self._watch = self.loop.call_later(_IDLE, self._look, (self.cycle, idle))


class _Server(uvicorn.Server):
    """Uvicorn that tells when it answers."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, and say so."""
        await super().startup(sockets)
        if self.started:
            self._tell()
