"""`python -m tucker`, as a process of its own."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.running import environment, process


def module(*words):
    command = [sys.executable, "-m", "tucker", *words]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment(), check=False
    )


def test_it_says_what_the_installed_script_says():
    script, done = (
        process("graph", "stats", "world", "--json"),
        module("graph", "stats", "world", "--json"),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, script.out, "")


def test_its_help_names_itself():
    assert "python -m tucker" in module("--help").stdout


def test_it_fails_as_the_installed_script_does():
    done = module("evaluate", "none")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: none: there is no such run folder\n"
