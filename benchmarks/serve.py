"""make bench-serve: requests a second and their times for predict, alone and beside a discovery.

Needs `wrk` (Debian: apt-get install wrk). Serves a run on loopback, asks random questions for
objects and for subjects over many connections at once, and writes results/benchmarks/serve.json.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.measuring import Figures, measured_on, write_result
from tucker.graph import Graph
from tucker.runs import load_run

QUESTIONS = 2000
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}  # in milliseconds
LUA = """
local bodies = {}
for line in io.lines("%s") do bodies[#bodies + 1] = line end
local i = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
function request()
  i = i %% #bodies + 1
  return wrk.format(nil, "/api/predict", nil, bodies[i])
end
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--dry", action="store_true", help="show, but write no result")
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed; on Debian: apt-get install wrk")
    graph = load_run(options.run).graph
    with tempfile.TemporaryDirectory() as folder, served(options.run, Path(folder)) as (url, id):
        script = write_script(graph, Path(folder))
        alone = measure(url, script, options.connections, options.seconds)
        with discovering(url, graph) as searches:
            beside = measure(url, script, options.connections, options.seconds)
        memory = peak_memory(id)
    result = {
        "run": options.run.name,
        "graph": graph.name,
        "n_e": graph.n_e,
        "n_r": graph.n_r,
        "connections": options.connections,
        "seconds": options.seconds,
        "predict": alone,
        "predict_beside_discover": beside | {"discoveries": len(searches)},
        **memory,
        **measured_on(),
    }
    sys.stdout.write(json.dumps(result, indent=2) + "\n")
    if not options.dry:
        write_result("serve", result)


@contextmanager
def served(run: Path, folder: Path) -> Iterator[tuple[str, int]]:
    """Serve a run in a process of its own, and stop it."""
    script = str(Path(sys.executable).with_name("tucker"))
    store = str(folder / "decisions.sqlite")
    words = [script, "serve", str(run), "--port", "0", "--json", "--decisions", store]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        told = "".join(iter(server.stdout.readline, "}\n")) + "}"
        try:
            yield json.loads(told)["url"], server.pid
        finally:
            server.terminate()


def peak_memory(id: int) -> Figures:
    """Return the most memory that the server has taken, where the system tells."""
    status = Path(f"/proc/{id}/status")
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return {"peak_memory_mb": int(found[1]) / 1024} if found else {}


def write_script(graph: Graph, folder: Path) -> Path:
    """Write random questions, one a line, and the script by which wrk asks them in turn."""
    random = np.random.default_rng(0)
    facts = graph.train[random.integers(len(graph.train), size=QUESTIONS // 2)]
    bodies = [
        {part: graph.entities.name(id), "relation": graph.relations.name(r), "k": 10}
        for s, r, o in facts
        for part, id in (("subject", s), ("object", o))
    ]
    questions = folder / "questions.jsonl"
    questions.write_text("".join(json.dumps(body) + "\n" for body in bodies), encoding="utf-8")
    script = folder / "ask.lua"
    script.write_text(LUA % questions, encoding="utf-8")
    return script


def measure(url: str, script: Path, connections: int, seconds: int) -> Figures:
    """Ask with wrk; return its figures."""
    words = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script), url]
    return parsed(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def parsed(text: str) -> Figures:
    """Read what wrk prints."""
    times = re.findall(r"^\s+(50|90|99)%\s+([\d.]+)(us|ms|s|m) *$", text, re.MULTILINE)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    broken = re.search(
        r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text
    )
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if rate is None or len(times) != 3:
        raise ValueError(f"wrk said something else than expected:\n{text}")
    return {
        "requests_per_second": float(rate[1]),
        **{f"p{share}_ms": float(time) * UNITS[unit] for share, time, unit in times},
        "refused": int(refused[1]) if refused else 0,
        "errors": sum(map(int, broken.groups())) if broken else 0,
    }


@contextmanager
def discovering(url: str, graph: Graph) -> Iterator[list[int]]:
    """Keep one discovery after the other running, the relations with the most facts first."""
    over, done = threading.Event(), []
    order = np.argsort(-np.bincount(graph.train[:, 1], minlength=graph.n_r)).tolist()

    def search() -> None:
        while not over.is_set():
            for r in order:
                if over.is_set():
                    return
                body = json.dumps({"relation": graph.relations.name(r), "k": 100}).encode()
                headers = {"Content-Type": "application/json"}
                request = urllib.request.Request(f"{url}/api/discover", body, headers)
                with urllib.request.urlopen(request, timeout=600) as answer:
                    answer.read()
                done.append(r)

    thread = threading.Thread(target=search)
    thread.start()
    try:
        yield done
    finally:
        over.set()
        thread.join()


if __name__ == "__main__":
    main()
