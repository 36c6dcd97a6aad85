from __future__ import annotations

import os
import signal
import sys
import threading
import urllib.request

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

import tucker


def asked(said, url):
    """Ask the server something, and then stop it."""
    try:
        with urllib.request.urlopen(f"{url}/api/health", timeout=30) as answer:
            said["status"] = answer.status
        said["url"] = url
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def test_a_run_is_served_until_it_is_stopped(folder):
    said = {}

    def ready(url):
        threading.Thread(target=asked, args=(said, url)).start()

    tucker.load(folder).serve(port=0, decisions="kept.sqlite", ready=ready)
    assert said["status"] == 200
    assert said["url"].startswith("http://127.0.0.1:")


def test_decisions_are_kept_in_the_run_s_folder(folder, run):
    tucker.load(folder).serve(port=0, ready=lambda url: os.kill(os.getpid(), signal.SIGTERM))
    assert (folder / "decisions.sqlite").is_file()
    with pytest.raises(tucker.TuckerError, match="say where decisions are kept"):
        run.serve(port=0)


def test_strangers_need_a_token(folder):
    with pytest.raises(tucker.TuckerError, match="give a --token"):
        tucker.load(folder).serve(host="0.0.0.0", port=0)


def test_what_it_needs_is_said(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(tucker.TuckerError, match=r"serving needs uvicorn.*tucker\[serve\]"):
        tucker.load(folder).serve(port=0)
