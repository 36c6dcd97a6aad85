from __future__ import annotations

import hashlib
import os
import threading
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tucker.errors import DatasetError, TuckerError
from tucker.graph import SPLITS, fetch_dataset, find_dataset, list_datasets, load_graph
from tucker.graph.datasets import catalogue
from tucker.graph.datasets.catalogue import DATASETS, DataFile, Dataset

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


def left(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "cache").rglob("*") if path.is_file())


def test_a_dataset_is_fetched_once(tiny, mirror, tmp_path):
    seen = []
    folder = fetch_dataset("tiny", progress=lambda *step: seen.append(step))
    assert folder == tmp_path / "cache" / "tucker" / "datasets" / "Tiny"
    assert seen == [(name, len(content), len(content)) for name, content in CONTENT.items()]
    for path in mirror.iterdir():
        path.unlink()
    assert find_dataset("TINY") == folder
    graph = load_graph("tiny")
    assert graph.name == "Tiny"
    assert len(graph.train) == 2


def test_a_spoiled_file_of_the_cache_is_fetched_again(tiny, mirror):
    folder = fetch_dataset("Tiny")
    (folder / "valid.txt").write_bytes(b"a\tr\tX\n")
    assert (find_dataset("Tiny") / "valid.txt").read_bytes() == CONTENT["valid.txt"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\tr\tX\n", "has another checksum than the one recorded"),
        (b"a\tr\n", "has 4 bytes where 6 are recorded"),
        (b"too long" * 100_000, "bytes where 6 are recorded"),
    ],
)
def test_wrong_bytes_are_not_kept(tiny, mirror, tmp_path, content, message):
    (mirror / "valid.txt").write_bytes(content)
    with pytest.raises(DatasetError, match=message) as caught:
        find_dataset("Tiny")
    assert "put train.txt, valid.txt, test.txt into $TUCKER_DATA/Tiny" in str(caught.value)
    assert left(tmp_path) == ["train.txt"]


def test_a_missing_file_is_named_with_its_status(tiny, mirror, tmp_path):
    (mirror / "train.txt").unlink()
    with pytest.raises(DatasetError, match=r"Tiny/train.txt cannot be fetched \(HTTP status 404\)"):
        find_dataset("Tiny")
    assert left(tmp_path) == []


def test_an_unreachable_home_is_a_clear_error(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("TUCKER_MIRROR", "http://127.0.0.1:1")
    with pytest.raises(DatasetError, match=r"cannot be fetched \(Connection refused\)"):
        find_dataset("Tiny")
    assert left(tmp_path) == []


@pytest.mark.parametrize("mirror", ["http://example.org", "file:///tmp", "ftp://127.0.0.1", "x"])
def test_only_https_is_fetched_from(tiny, monkeypatch, mirror):
    monkeypatch.setenv("TUCKER_MIRROR", mirror)
    with pytest.raises(DatasetError, match="is not https"):
        fetch_dataset("Tiny")


def test_a_cache_that_cannot_be_written_is_a_clear_error(tiny, mirror, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    with pytest.raises(DatasetError, match=r"cannot be fetched \((Not a directory|File exists)\)"):
        fetch_dataset("Tiny")


def test_the_copy_of_git_is_as_good(tiny, mirror, monkeypatch):
    content = b"b\tr\tc\na\tr\tb\n"  # the same facts in another order
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    train = replace(tiny.files[0], git_blob=blob)
    dataset = replace(tiny, files=(train, *tiny.files[1:]))
    monkeypatch.setitem(catalogue.DATASETS, "Tiny", dataset)
    (mirror / "train.txt").write_bytes(content)
    assert (find_dataset("Tiny") / "train.txt").read_bytes() == content


def test_the_data_folder_of_the_user_comes_first(tiny, mirror, monkeypatch):
    monkeypatch.setenv("TUCKER_DATA", str(mirror.parent))
    monkeypatch.setenv("TUCKER_MIRROR", "http://127.0.0.1:1")
    assert find_dataset("tiny") == mirror
    (mirror / "test.txt").write_bytes(b"c\tr\tX\n")
    with pytest.raises(
        DatasetError, match=r"test.txt has another checksum .* or unset TUCKER_DATA"
    ):
        find_dataset("tiny")
    (mirror / "test.txt").unlink()
    with pytest.raises(DatasetError, match=r"test.txt is missing"):
        find_dataset("tiny")


def test_a_data_folder_without_the_dataset_is_passed_over(tiny, mirror, tmp_path, monkeypatch):
    monkeypatch.setenv("TUCKER_DATA", str(tmp_path / "elsewhere"))
    assert find_dataset("tiny").parent.name == "datasets"


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(DatasetError, match="no dataset 'wn18rrr'; did you mean 'WN18RR'"):
        find_dataset("wn18rrr")
    with pytest.raises(DatasetError, match="the datasets are FB15k, FB15k-237, WN18"):
        fetch_dataset("xyzzy")


def test_the_list_says_where_each_is(tiny, mirror, monkeypatch):
    def row():
        return next(row for row in list_datasets() if row["name"] == "Tiny")

    assert row() == {
        "name": "Tiny",
        "triples": {"train": 2, "valid": 1, "test": 1},
        "entities": 3,
        "relations": 1,
        "licence": "free",
        "home": "https://x.org/",
        "where": "not fetched",
        "path": None,
    }
    folder = fetch_dataset("Tiny")
    assert (row()["where"], row()["path"]) == ("cache", str(folder))
    monkeypatch.setenv("TUCKER_DATA", str(mirror.parent))
    assert (row()["where"], row()["path"]) == ("data", str(mirror))


def test_the_catalogue_is_complete():
    assert {"FB15k", "FB15k-237", "WN18", "WN18RR", "NELL-995"} < set(DATASETS)
    assert {"umls", "kinship", "nations", "countries_S1"} < set(DATASETS)
    for name, dataset in DATASETS.items():
        assert dataset.name == name
        assert dataset.address.startswith("https://")
        assert [file.name for file in dataset.files] == [f"{split}.txt" for split in SPLITS]
        assert all(len(file.sha256) == 64 for file in dataset.files)


@pytest.mark.data
@pytest.mark.skipif("TUCKER_DATA" not in os.environ, reason="TUCKER_DATA is not set")
@pytest.mark.parametrize("name", DATASETS)
def test_each_dataset_has_its_recorded_counts(name):
    dataset = DATASETS[name]
    try:
        graph = load_graph(name)
    except TuckerError as error:
        pytest.fail(str(error))
    repeated = 1 if name == "countries_S1" else 0  # one line of train stands twice
    counts = [len(graph.split(split)) for split in SPLITS]
    assert counts == [dataset.triples[0] - repeated, *dataset.triples[1:]]
    assert (graph.n_e, graph.n_r) == (dataset.entities, dataset.relations)
