"""`tucker serve` as a process: what it says, refuses and leaves."""

from __future__ import annotations

import json
import re
import socket
import urllib.request

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from tests.cli.running import refused, tucker
from tests.serving.server import Server


def asked(server, question):
    return urllib.request.Request(
        f"{server.url}/api/predict",
        data=json.dumps(question).encode(),
        headers={"Content-Type": "application/json"},
    )


def test_it_says_where_it_is_and_answers_as_the_command_line_does(copy):
    question = {"subject": "p5", "relation": "knows", "k": 3}
    with Server(copy) as server:
        assert server.said == {"url": server.url, "run": str(copy)}
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", server.url)
        with urllib.request.urlopen(asked(server, question), timeout=30) as answer:
            found = json.load(answer)
        code, err = server.stop()
    words = ["--subject", "p5", "--relation", "knows", "-k", "3", "--json"]
    assert found == tucker("predict", copy, *words).json()
    assert (code, err.splitlines()[-1]) == (0, "stopped")
    assert f"{copy} is served on {server.url}; Ctrl-C stops it" in err
    assert (copy / "decisions.sqlite").is_file()


def test_decisions_have_the_place_that_is_given(copy, tmp_path):
    with (
        Server(copy, "--decisions", tmp_path / "kept.sqlite") as server,
        urllib.request.urlopen(f"{server.url}/api/decisions", timeout=30) as answer,
    ):
        assert json.load(answer) == []
    assert (tmp_path / "kept.sqlite").is_file()
    assert not (copy / "decisions.sqlite").exists()


def test_what_cannot_be_served_is_refused(copy):
    assert "give a --token" in refused(tucker("serve", copy, "--host", "0.0.0.0"))
    assert "the token must be" in refused(tucker("serve", copy, "--token", "two words"))
    assert "there is no such run folder" in refused(tucker("serve", "none"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port} cannot be served on" in refused(
            tucker("serve", copy, "--port", port)
        )
