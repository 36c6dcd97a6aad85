"""What one request may ask for."""

from __future__ import annotations

from dataclasses import dataclass

MOST_ANSWERS = 1000  # k
MOST_FACTS = 1000  # scored in one request
MOST_TEXT = 4096  # characters of a name


@dataclass(frozen=True)
class Limits:
    """Bounds that keep one client from holding up the others."""

    body_bytes: int = 1 << 20
    seconds: float = 30.0  # of any request but a discovery
    discovery_seconds: float = 600.0
    waiting: int = 1024  # rows of questions in line; more are turned away
    scores: int = 16  # of many facts, in line, the running ones included
    discoveries: int = 4  # in line, the running one included
