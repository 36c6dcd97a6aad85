"""A real server in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from types import TracebackType

from tests.cli.running import SCRIPT, environment


class Server:
    """`tucker serve` on a free port; leaving stops it gently."""

    def __init__(self, run: Path, *options: object) -> None:
        words = [str(SCRIPT), "serve", str(run), "--port", "0", "--json", *map(str, options)]
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
        )
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line == "}\n":
                break
        if not lines:
            raise RuntimeError(self.process.communicate()[1])
        self.said: dict[str, str] = json.loads("".join(lines))
        self.url = self.said["url"]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it by a signal; return the exit code and what it said on stderr."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
