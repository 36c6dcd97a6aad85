"""A server that is stopped, gently or not: what it acknowledged is kept."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from http.client import HTTPException
from itertools import count
from pathlib import Path
from urllib.error import HTTPError

import pytest

from benchmarks.measuring import measured_on
from tests.cli.running import environment, refused, tucker
from tests.serving.server import Server
from tucker.errors import ServingError
from tucker.files import write_text
from tucker.serving.decisions import Decisions
from tucker.serving.server import bind, url_of

KILLS = int(os.environ.get("TUCKER_KILLS", "10"))
STEPS = {"knows": (1, 2, 3), "likes": (2, 5), "follows": (1, 4)}  # of the known facts
NEW = [
    {"subject": f"p{i}", "relation": relation, "object": f"p{j}"}
    for j in range(18)
    for relation, known in STEPS.items()
    for i in range(18)
    if (j - i) % 20 not in known
]


def post(url, path, body):
    request = urllib.request.Request(
        url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def fact_of(number):
    """Return one of 858 new facts."""
    return NEW[number % len(NEW)]


def decide_until_it_is_gone(server, numbers, delay):
    """Decide as fast as one can; return the id of what was acknowledged, by fact.

    The server is killed some time after the first decision, in the middle of others.
    """
    kept = {}
    killer = threading.Timer(delay, os.kill, (server["pid"], signal.SIGKILL))
    for number in numbers:
        verdict = ("accepted", "rejected")[number % 2]
        try:
            decided = post(server["url"], "/api/decisions", fact_of(number) | {"verdict": verdict})
        except HTTPError:
            raise  # refused: the server is there
        except (OSError, HTTPException):
            return kept
        kept[tuple(fact_of(number).values())] = decided["id"]
        if len(kept) == 1:
            killer.start()
    return kept


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_no_acknowledged_decision_is_lost_when_the_server_is_killed(folder, tmp_path):
    path = tmp_path / "decisions.sqlite"
    acknowledged, numbers, delays, decisions = {}, count(), random.Random(0), 0
    with subprocess.Popen(
        [sys.executable, "-m", "tests.serving.forks", folder, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=Path(__file__).parents[2],
    ) as servers:
        for _ in range(KILLS):
            servers.stdin.write("\n")
            servers.stdin.flush()
            server = json.loads(servers.stdout.readline())
            kept = decide_until_it_is_gone(server, numbers, delays.uniform(0, 0.25))
            acknowledged |= kept
            decisions += len(kept)
            assert json.loads(servers.stdout.readline()) == {"status": -signal.SIGKILL}
            store = Decisions(path)
            found = {
                (one["subject"], one["relation"], one["object"]): one["id"]
                for one in store.current()
            }
            store.close()
            lost = {fact for fact, id in acknowledged.items() if found.get(fact, 0) < id}
            assert lost == set()
        servers.stdin.close()
    assert len(acknowledged) >= KILLS
    if result := os.environ.get("TUCKER_KILL_RESULT"):
        figures = {"kills": KILLS, "acknowledged": decisions, "lost": len(lost), **measured_on()}
        write_text(Path(result), json.dumps(figures, indent=2) + "\n")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_told_to_stop_finishes_the_request_under_way_and_exits_0(folder, tmp_path, how):
    server = Server(folder, "--decisions", tmp_path / "decisions.sqlite")
    body = json.dumps({"subject": "p0", "relation": "knows"}).encode()
    head = (
        "POST /api/predict HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    address = ("127.0.0.1", int(server.url.rpartition(":")[2]))
    with socket.create_connection(address, timeout=30) as asking:
        asking.sendall(head.encode() + body[:5])
        time.sleep(0.5)
        server.process.send_signal(how)
        time.sleep(0.5)  # it has been told, and the question is only half asked
        assert server.process.poll() is None
        asking.sendall(body[5:])
        assert asking.recv(1 << 16).startswith(b"HTTP/1.1 200")
    _, err = server.process.communicate(timeout=60)
    assert server.process.returncode == 0
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "stopped"


def test_answers_are_sent_at_once():
    """A socket without a named protocol waits 40 ms for more to send."""
    with bind("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert url_of(listener).startswith("http://127.0.0.1:")


def test_a_port_that_is_taken_is_refused(folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = tucker("serve", folder, "--port", taken.getsockname()[1])
    assert "give another --port" in refused(result)


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1"])
def test_a_host_that_is_not_here_is_refused(host):
    with pytest.raises(ServingError, match="give another --host"):
        bind(host, 0)


def test_a_store_that_cannot_be_is_refused(folder, tmp_path):
    (tmp_path / "file").touch()
    result = tucker("serve", folder, "--port", 0, "--decisions", tmp_path / "file" / "d.sqlite")
    assert "cannot keep decisions" in refused(result)
