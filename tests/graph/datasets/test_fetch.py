from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.graph.datasets.conftest import CONTENT
from tucker.errors import DatasetError
from tucker.graph import fetch_dataset, find_dataset, load_graph
from tucker.graph.datasets import catalogue


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
