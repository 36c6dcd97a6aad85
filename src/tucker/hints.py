"""The nearest names to a mistyped one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(text: str, known: Iterable[str], *, most: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return the known names most like a text, whatever their case, the nearest first."""
    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(text.casefold(), folded, n=most, cutoff=cutoff)
    return [folded[name] for name in close]


def did_you_mean(names: Iterable[str]) -> str:
    """Return a question for the end of an error, or nothing where there are no names."""
    found = " or ".join(names)
    return f"; did you mean {found}?" if found else ""


def hint(text: str, known: Iterable[str], *, most: int = 3, cutoff: float = 0.6) -> str:
    """Return the nearest names as the end of an error, or all known ones if none is near."""
    known = list(known)
    close = nearest(text, known, most=most, cutoff=cutoff)
    return did_you_mean(close) or f"; known are {', '.join(known)}"
