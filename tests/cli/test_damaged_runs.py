from __future__ import annotations

import json

import pytest

from tests.cli.running import refused, tucker

QUESTION = ["--subject", "p5", "--relation", "likes"]
FILES = [
    "config.yaml",
    "model.safetensors",
    "entities.parquet",
    "relations.parquet",
    "known.parquet",
    "metrics.json",
    "journal.jsonl",
]


def asked(run):
    """Give the same answer of evaluate and predict."""
    message = refused(tucker("evaluate", run))
    assert refused(tucker("predict", run, *QUESTION, "--json")) == message
    return message


def test_the_files_are_those_of_a_run(run):
    assert sorted(path.name for path in run.iterdir()) == sorted([*FILES, "manifest.json"])


def test_no_run_at_all(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    assert asked("none") == "none: there is no such run folder"
    assert asked("file") == "file: there is no such run folder"
    assert asked("empty") == "empty is not a run: it has no manifest.json"


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_is_refused(copy, name):
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    assert (
        asked(copy) == f"{copy / name}: has changed since it was written; restore it or train anew"
    )


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_refused(copy, name):
    (copy / name).unlink()
    assert asked(copy) == f"{copy}: {name} is missing; restore it or train anew"


def test_a_cut_file_is_refused(copy):
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    assert "has changed since it was written" in asked(copy)


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_an_unknown_format_is_refused(copy, version):
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(manifest | {"format": version}))
    assert asked(copy).startswith(f"{copy} has run format {version!r}; this version reads format 1")


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b"\xff", b'{"format": 1, "files": 3}', b'{"format": 1, "files": {}}'],
)
def test_a_manifest_that_says_nothing_is_refused(copy, content):
    (copy / "manifest.json").write_bytes(content)
    assert str(copy) in asked(copy)


def test_a_manifest_without_checksums_is_refused(copy):
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["files"] = {name: {} for name in manifest["files"]}
    (copy / "manifest.json").write_text(json.dumps(manifest))
    assert str(copy) in asked(copy)


def test_an_unfinished_run_is_told_to_resume(copy):
    (copy / "manifest.json").unlink()
    assert asked(copy) == f"{copy} has not finished: --resume it"


@pytest.mark.parametrize("name", ["entities.parquet", "relations.parquet", "known.parquet"])
def test_a_damaged_unfinished_run_is_not_resumed(copy, name):
    (copy / "manifest.json").unlink()
    (copy / name).write_bytes((copy / name).read_bytes()[:-9])
    assert name in refused(tucker("train", "--resume", "--out", copy))


def test_a_damaged_checkpoint_is_refused(copy):
    (copy / "manifest.json").unlink()
    (copy / "checkpoints").mkdir()
    (copy / "checkpoints" / "last.safetensors").write_bytes(b"nothing of use")
    message = refused(tucker("train", "--resume", "--out", copy))
    assert "last.safetensors: this checkpoint cannot be read" in message


@pytest.mark.parametrize("content", ["", "graph: [\n", "- graph\n", "\x00"])
def test_a_damaged_config_is_not_resumed(copy, content):
    (copy / "manifest.json").unlink()
    (copy / "config.yaml").write_text(content)
    message = refused(tucker("train", "--resume", "--out", copy))
    assert message.startswith(f"{copy / 'config.yaml'}: ")
