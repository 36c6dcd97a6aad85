"""Pictures of runs: learning curves, reliability diagrams, heatmaps of relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from torch import Tensor

from tucker.errors import SettingsError
from tucker.extras import require
from tucker.files import whole_file
from tucker.prediction.calibration.reliability import Reliability

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORMATS = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Curve:
    """A line in a plot of validation MRR over time."""

    panel: str  # the title of the plot that it belongs to: a data set
    label: str
    minutes: list[float]
    mrr: list[float]
    dashed: bool = False


def check_picture(path: Path) -> None:
    """Refuse a picture that cannot be drawn here, before anything else is done for it."""
    if path.suffix not in _FORMATS:
        raise SettingsError(f"{path}: the extension of a plot must be one of {', '.join(_FORMATS)}")
    require("plots")


def draw_curves(path: Path, panels: Sequence[str], curves: Sequence[Curve]) -> None:
    """Draw a plot of validation MRR over minutes for each panel, with its curves."""
    check_picture(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(5 * len(panels), 4.5), layout="constrained")
    plots = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, title in zip(plots, panels, strict=True):
        for curve in curves:
            if curve.panel == title:
                line = ".--" if curve.dashed else ".-"
                axes.plot(curve.minutes, curve.mrr, line, label=curve.label)
        axes.set(title=title, xlabel="minutes", ylabel="validation MRR")
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)
    save_picture(path, figure)


def draw_epochs(path: Path, points: Sequence[tuple[int, float]]) -> None:
    """Draw the validation MRR of each epoch that was validated."""
    check_picture(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*points, strict=True), marker=".")
    axes.set(xlabel="epoch", ylabel="validation MRR")
    axes.grid(alpha=0.3)
    save_picture(path, figure)


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


def draw_heatmaps(path: Path, matrices: Mapping[str, Tensor]) -> None:
    """Draw a panel a matrix under its name: blue below zero, red above, white at it."""
    check_picture(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(4.5 * len(matrices), 4), layout="constrained")
    panels = figure.subplots(1, len(matrices), squeeze=False)[0]
    for axes, (name, matrix) in zip(panels, matrices.items(), strict=True):
        size = float(matrix.abs().flatten().quantile(0.99)) or float(matrix.abs().max())
        image = axes.imshow(matrix.numpy(), cmap="RdBu_r", vmin=-size, vmax=size)
        axes.set_title(name, parse_math=False)
        axes.set(xlabel="object", ylabel="subject", xticks=[], yticks=[])
        figure.colorbar(image, ax=axes, shrink=0.8)
    save_picture(path, figure)


def save_picture(path: Path, figure: Figure) -> None:
    """Write a figure, whole or not at all; what is the same gives the same file."""
    from matplotlib import rc_context  # noqa: PLC0415 - an extra

    stable = {"Date": None} if path.suffix == ".svg" else None  # and no random names
    with whole_file(path) as temporary, rc_context({"svg.hashsalt": "tucker"}):
        figure.savefig(temporary, format=path.suffix[1:], dpi=120, metadata=stable)
