"""The system's Chromium."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """Return the program named by $CHROMIUM, or the first one that the system has."""
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES)]
    return next((path for path in found if path), None)
