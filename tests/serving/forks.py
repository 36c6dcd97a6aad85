"""Servers one after the other, without the wait for torch: each is a fork of this process.

Run as a script with the folder of a run and a file for decisions. For every line on stdin a server
starts; its address and process id go to stdout, and its exit status when it has ended.
"""

from __future__ import annotations

import json
import os
import sys

from tucker.runs import load_run
from tucker.serving.app import create_app
from tucker.serving.server import bind, serve, url_of


def main(folder: str, decisions: str) -> None:
    run = load_run(folder)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            listener = bind("127.0.0.1", 0)
            about = {"url": url_of(listener), "pid": os.getpid()}
            app = create_app(run, decisions=decisions)
            serve(app, listener, started=lambda about=about: tell(about))
            os._exit(0)
        tell({"status": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])})


def tell(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
