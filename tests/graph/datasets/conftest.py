from __future__ import annotations

import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tucker.graph.datasets import catalogue
from tucker.graph.datasets.catalogue import DataFile, Dataset

CONTENT = {
    "train.txt": b"a\tr\tb\nb\tr\tc\n",
    "valid.txt": b"a\tr\tc\n",
    "test.txt": b"c\tr\ta\n",
}


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """A dataset small enough to serve from here, with an empty cache to fetch it into."""
    files = tuple(
        DataFile(name, len(content), hashlib.sha256(content).hexdigest())
        for name, content in CONTENT.items()
    )
    dataset = Dataset("Tiny", (2, 1, 1), 3, 1, "free", "https://x.org/", "https://x.invalid", files)
    monkeypatch.setitem(catalogue.DATASETS, "Tiny", dataset)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TUCKER_DATA", raising=False)
    return dataset


@pytest.fixture
def mirror(monkeypatch, tmp_path):
    """A server on this machine, and the folder of the dataset that it serves."""
    folder = tmp_path / "mirror" / "Tiny"
    folder.mkdir(parents=True)
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)
    handler = partial(QuietHandler, directory=str(folder.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        monkeypatch.setenv("TUCKER_MIRROR", f"http://127.0.0.1:{server.server_port}/")
        yield folder
        server.shutdown()
        thread.join()
