"""The command line from the outside: words in, exit code and two streams out."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from tucker.cli.main import run

SCRIPT = Path(sys.executable).with_name("tucker")
QUICK = [
    "--set=training.epochs=3",
    "--set=training.validate_every=1",
    "--set=model.d_e=8",
    "--set=model.d_r=4",
]
"""Settings that train in a moment."""


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


def tucker(*words: object) -> Result:
    """Run the entry point of the `tucker` script here: torch is slow to import for each test."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with (
        mock.patch.object(sys, "argv", ["tucker", *map(str, words)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            run()
        except SystemExit as exit:
            code = exit.code
    return Result(int(code or 0), out.getvalue(), err.getvalue())


def environment() -> dict[str, str]:
    """Return an environment for a real process: one thread and no colours."""
    return os.environ | {"OMP_NUM_THREADS": "1", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}


def process(*words: object, cwd: Path | None = None) -> Result:
    """Run the installed script in a process of its own."""
    command = [str(SCRIPT), *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", cwd=cwd, env=environment(), check=False
    )
    return Result(done.returncode, done.stdout, done.stderr)


def refused(result: Result) -> str:
    """Return the one sentence of a request that could not be met."""
    assert result.code == 1, (result.code, result.out, result.err)
    assert result.out == ""
    lines = result.err.splitlines()
    assert len(lines) == 1, result.err
    assert lines[0].startswith("error: ")
    return lines[0].removeprefix("error: ")
