"""The reliability diagram: how often predictions came true against what they said."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tucker.experiments.curves import check_picture, save_picture
from tucker.prediction.reliability import Reliability


def draw_reliability(path: Path, measured: Mapping[str, Reliability]) -> None:
    """Draw a curve for each kind of probability over the line on which it would be right."""
    check_picture(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(5, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, height_ratios=[3, 1], sharex=True)
    upper.plot([0, 1], [0, 1], color="grey", linewidth=1, linestyle="--")
    for name, one in measured.items():
        said = [bin.probability for bin in one.bins]
        upper.plot(
            said, [bin.true for bin in one.bins], marker="o", label=f"{name}, ECE {one.ece:.3f}"
        )
        lower.plot(said, [bin.predictions for bin in one.bins], marker=".")
    upper.set(ylabel="came true", xlim=(0, 1), ylim=(0, 1))
    upper.legend(fontsize="small")
    lower.set(xlabel="probability said", ylabel="predictions", yscale="log")
    for axes in (upper, lower):
        axes.grid(alpha=0.3)
    save_picture(path, figure)
