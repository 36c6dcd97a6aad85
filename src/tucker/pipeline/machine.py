"""Where a figure was measured: the commit, the machine, and the memory that it took."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from tucker.training.precision import products_of

_SOURCE = Path(__file__).parents[1]


def commit() -> str | None:
    """Return the commit of the source that runs, or None if it is not in a checkout.

    "+changes" after it says that files of the source differ from it.
    """
    if not _git(
        "ls-files", "__init__.py"
    ):  # installed, perhaps within a checkout of something else
        return None
    head = _git("rev-parse", "--short=12", "HEAD")
    return f"{head}+changes" if head and _git("status", "--porcelain", ".") else head


def machine() -> dict[str, Any]:
    """Describe the machine, as far as it decides how fast it trains."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "bfloat16": products_of("bfloat16") is not None,  # else training.products is float32
        "python": platform.python_version(),
        "torch": torch.__version__,
        "platform": platform.platform(),
    }


def peak_memory_mb() -> float:
    """Return the most memory that this process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def forget_peak_memory() -> None:
    """Count the peak anew, so that it is that of what follows; only Linux can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _cpu() -> str:
    """Name the processor, on Linux with its family and model: hosts often hide the rest."""
    with suppress(OSError, KeyError):
        first, _, _ = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("\n\n")
        pairs = (line.partition(":") for line in first.splitlines())
        has = {name.strip(): value.strip() for name, _, value in pairs}
        return f"{has['model name']} (family {has['cpu family']}, model {has['model']})"
    return platform.processor()


def _git(*words: str) -> str | None:
    """Ask git about the source, without touching anything."""
    command = ["git", "--no-optional-locks", *words]
    try:
        done = subprocess.run(command, cwd=_SOURCE, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
