"""Scratch tensors that are used again, and numbers too small to be worth their time."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from tucker.training.buffers import Buffers, denormals_flushed


def test_a_tensor_is_used_again_until_it_must_grow():
    buffers, like = Buffers(), torch.zeros(1)
    first = buffers.take("a", 4, 5, like=like)
    assert first.shape == (4, 5)
    assert buffers.take("a", 2, 3, like=like).data_ptr() == first.data_ptr()
    assert buffers.take("b", 2, 3, like=like).data_ptr() != first.data_ptr()
    assert buffers.take("a", 5, 5, like=like).shape == (5, 5)
    assert buffers.take("a", 2, like=like.double()).dtype == torch.float64


def test_denormal_numbers_are_zero_for_a_while():
    tiny = torch.tensor(1e-39)
    with denormals_flushed():
        assert tiny * 1.0 == 0
    assert tiny * 1.0 != 0


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc's malloc is told")
def test_freed_memory_stays_with_the_process():
    """In a process of its own each: what malloc is told cannot be taken back."""
    code = """
import sys, torch
from pathlib import Path
from tucker.training.buffers import keep_freed_memory

def resident(): return int(Path("/proc/self/statm").read_text().split()[1])
if sys.argv[1] == "kept": keep_freed_memory()
before = resident()
tensors = [torch.ones(5 << 20) for _ in range(4)]
used = resident() - before
del tensors
print((resident() - before) / used)
"""

    def left(*how: str) -> float:
        words = [sys.executable, "-c", code, *how]
        return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    assert left("kept") > 0.9
    assert left("as it is") < 0.5
