"""Trainings that are stopped, kindly or not, and resumed."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tests.cli.running import SCRIPT, environment, refused, tucker

EPOCHS = 60
SETTINGS = [
    f"--set=training.epochs={EPOCHS}",
    "--set=training.validate_every=10",
    "--set=training.patience=0",
    "--set=training.batch_size=32",
    "--set=model.d_e=8",
    "--set=model.d_r=4",
    "--set=training.decay=0.99",
    "--set=training.schedule=linear",
    "--set=training.average=0.9",
]
OFTEN = "--set=training.checkpoint_minutes=0.001"


@pytest.fixture(autouse=True)
def _one_thread():
    """The same sums in the same order as in the processes."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def whole(facts, tmp_path_factory) -> Path:
    """A run that nobody stopped."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    result = tucker("train", "--graph", facts, "--out", folder, *SETTINGS)
    torch.set_num_threads(threads)
    assert result.code == 0, result.err
    return folder


def stop(facts: Path, folder: Path, how: signal.Signals, *words: str) -> subprocess.Popen[str]:
    """Train in a process, and send it a signal in the middle, after a checkpoint if it has any."""
    checkpoint = folder / "checkpoints" / "last.safetensors"
    checkpointed = checkpoint.exists if OFTEN in words else lambda: True
    # Where tests run in the background SIGINT is ignored, and a child would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    training = subprocess.Popen(
        [SCRIPT, "train", "--graph", facts, "--out", folder, "--json", *SETTINGS, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
    )
    signal.signal(signal.SIGINT, before)
    try:
        wait_for(lambda: len(journal(folder)) >= 5 and checkpointed(), training)
        training.send_signal(how)
        training.wait(timeout=30)
    finally:
        training.kill()
    return training


def wait_for(condition: Callable[[], bool], training: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert training.poll() is None, training.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def journal(folder: Path) -> list[dict[str, object]]:
    """Read the journal without the times."""
    path = folder / "journal.jsonl"
    if not path.exists():
        return []
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: entry[key] for key in entry if key != "seconds"} for entry in entries]


def test_an_interrupted_training_is_resumed_to_the_very_same_weights(facts, whole, tmp_path):
    folder = tmp_path / "run"
    stopped = stop(facts, folder, signal.SIGINT)
    out, err = stopped.communicate()
    assert stopped.returncode == 130
    assert out == ""
    assert err == f"stopped; go on with: tucker train --resume --out {folder}\n"
    assert (folder / "checkpoints" / "last.safetensors").exists()
    assert "has not finished: --resume it" in refused(tucker("evaluate", folder))
    assert 5 <= len(journal(folder)) < EPOCHS

    report = tucker("train", "--resume", "--out", folder, "--json").json()
    assert report["epochs"] == EPOCHS
    assert (folder / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
    assert journal(folder) == journal(whole)
    assert not (folder / "checkpoints").exists()
    assert tucker("evaluate", folder, "--split", "valid", "--json").json() == report["valid"]


def test_a_killed_training_is_resumed_to_the_very_same_weights(facts, whole, tmp_path):
    folder = tmp_path / "run"
    stopped = stop(facts, folder, signal.SIGKILL, OFTEN)
    assert stopped.returncode == -signal.SIGKILL
    assert not (folder / "manifest.json").exists()
    assert (folder / "checkpoints" / "last.safetensors").exists()

    words = ["train", "--resume", "--out", folder, "--json", "--evaluate", "test"]
    report = tucker(*words).json()
    assert report["epochs"] == EPOCHS
    weights = [(path / "model.safetensors").read_bytes() for path in (folder, whole)]
    assert weights[0] == weights[1]
    assert journal(folder) == journal(whole)
    assert report["test"] == tucker("evaluate", whole, "--json").json()


def test_a_training_killed_before_its_first_checkpoint_starts_again(whole, tmp_path):
    folder = Path(shutil.copytree(whole, tmp_path / "run"))
    for name in ("manifest.json", "model.safetensors", "metrics.json"):
        (folder / name).unlink()
    lines = (folder / "journal.jsonl").read_text().splitlines(keepends=True)
    (folder / "journal.jsonl").write_text("".join(lines[:7]))
    assert tucker("train", "--resume", "--out", folder).code == 0
    assert (folder / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
    assert journal(folder) == journal(whole)
