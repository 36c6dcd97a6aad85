"""Contrast of colours, as WCAG defines it."""

from __future__ import annotations


def contrast(one: str, other: str) -> float:
    """Return the contrast of two CSS colours, `#rrggbb` or `rgb(r, g, b)`."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    if colour.startswith("#"):
        parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    else:
        parts = [int(part) for part in colour.strip("rgb()").split(",")[:3]]
    channels = [part / 255 for part in parts]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
