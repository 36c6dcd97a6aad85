"""Connections that ask nothing: they give their places back."""

from __future__ import annotations

import asyncio
import socket
import threading
from time import monotonic, sleep

import pytest
import uvicorn

from tucker.serving import server as serving
from tucker.serving.server import bind

IDLE = 0.5  # seconds
GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


async def slow(scope, receive, send):
    """Answer after more time than a connection may be idle."""
    if scope["type"] == "http":
        await asyncio.sleep(3 * IDLE if scope["path"] == "/slow" else 0)
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def address(monkeypatch):
    """Where a server answers that has room for few connections, none of them idle for long."""
    monkeypatch.setattr(serving, "_IDLE", IDLE)
    monkeypatch.setattr(serving, "_CONNECTIONS", 5)
    listener = bind("127.0.0.1", 0)
    server = uvicorn.Server(serving._config(slow))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        sleep(0.01)
    yield listener.getsockname()
    server.should_exit = True
    thread.join()
    listener.close()


def connect(address):
    return socket.create_connection(address, timeout=10)


def status(address):
    with connect(address) as asking:
        asking.sendall(GET)
        return asking.recv(1 << 16).split()[1]


def answer(asking):
    """Read one answer, which may come in pieces."""
    read = b""
    while not read.endswith(b"ok"):
        piece = asking.recv(1 << 16)
        assert piece, "the connection was closed"
        read += piece
    return read


@pytest.mark.parametrize("sent", [b"", GET[:20]], ids=["nothing", "half a head"])
def test_connections_that_ask_nothing_do_not_keep_others_out(address, sent):
    silent = [connect(address) for _ in range(5)]
    for one in silent:
        one.sendall(sent)
    assert status(address) == b"503"
    assert [one.recv(1) for one in silent] == [b""] * 5  # closed by the server
    assert status(address) == b"200"
    for one in silent:
        one.close()


def test_half_a_head_after_an_answer_is_no_request_either(address):
    with connect(address) as asking:
        asking.sendall(GET)
        assert answer(asking).startswith(b"HTTP/1.1 200")
        start = monotonic()
        asking.sendall(GET[:20])
        assert asking.recv(1) == b""
        assert monotonic() - start < 5


def test_a_connection_that_waits_for_its_answer_stays(address):
    with connect(address) as asking:
        for _ in range(2):
            asking.sendall(GET.replace(b"/ ", b"/slow ", 1))
            assert answer(asking).startswith(b"HTTP/1.1 200")
