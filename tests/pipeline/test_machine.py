from __future__ import annotations

import mmap
import shutil
import subprocess
from pathlib import Path

import pytest
import torch

from tucker.pipeline import machine
from tucker.training.precision import products_of


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A folder in the place of the source."""
    monkeypatch.setattr(machine, "_SOURCE", tmp_path / "src")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "__init__.py").write_text("")
    return tmp_path / "src"


def git(folder, *words):
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", *identity, *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_the_commit_and_whether_the_source_differs_from_it(source):
    assert machine.commit() is None
    git(source.parent, "init")
    assert machine.commit() is None  # in a checkout, but not of this
    git(source.parent, "add", ".")
    git(source.parent, "commit", "-m", "all")
    head = git(source, "rev-parse", "HEAD").strip()
    assert machine.commit() == head[:12]
    (source.parent / "notes.txt").write_text("no source")
    assert machine.commit() == head[:12]
    (source / "__init__.py").write_text("changed = True\n")
    assert machine.commit() == f"{head[:12]}+changes"


@pytest.mark.usefixtures("source")
def test_without_git_there_is_no_commit(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert machine.commit() is None


def test_the_machine():
    found = machine.machine()
    assert list(found) == ["cpu", "cores", "threads", "bfloat16", "python", "torch", "platform"]
    assert found["threads"] == torch.get_num_threads()
    assert found.pop("bfloat16") == (products_of("bfloat16") is torch.bfloat16)
    assert all(found.values())


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs Linux")
def test_the_peak_of_memory_can_be_counted_anew():
    size = 200 << 20
    with mmap.mmap(-1, size) as memory:
        memory.write(b"x" * size)
        before = machine.peak_memory_mb()
    machine.forget_peak_memory()
    assert machine.peak_memory_mb() < before - 150
