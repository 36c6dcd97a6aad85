"""How long threads spin is said before torch is loaded, and only if nobody said it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(("before", "after"), [(None, "10000"), ("7", "7")])
def test_importing_tucker_says_how_long_threads_spin(before: str | None, after: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "GOMP_SPINCOUNT"}
    if before is not None:
        environment["GOMP_SPINCOUNT"] = before
    code = "import sys, os, tucker; print(os.environ['GOMP_SPINCOUNT'], 'torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [after, "False"]
