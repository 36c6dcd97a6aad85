"""Learning curves of results: validation MRR against the minutes spent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tucker.errors import ResultError
from tucker.experiments.results import Result
from tucker.files import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORMATS = (".svg", ".png", ".pdf")


def check_picture(path: Path) -> None:
    """Refuse a picture that cannot be drawn here, before anything else is done for it."""
    if path.suffix not in _FORMATS:
        raise ResultError(f"{path}: a plot is one of {', '.join(_FORMATS)}")
    try:
        import matplotlib  # noqa: F401, PLC0415 - an extra
    except ImportError:
        raise ResultError("a plot needs Matplotlib: pip install 'tucker[plots]'") from None


def draw_curves(path: Path, datasets: Sequence[str], results: Sequence[Result]) -> None:
    """Draw a panel a dataset with a curve a result."""
    check_picture(path)
    if not results:
        raise ResultError(f"{path}: there is nothing measured to draw")
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(5 * len(datasets), 3.5), layout="constrained")
    panels = figure.subplots(1, len(datasets), squeeze=False)[0]
    for axes, dataset in zip(panels, datasets, strict=True):
        for result in results:
            if result.dataset == dataset:
                axes.plot(*_curve(result), marker=".", label=f"{result.recipe}, seed {result.seed}")
        axes.set(title=dataset, xlabel="minutes", ylabel="validation MRR")
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize="small")
    save_picture(path, figure)


def save_picture(path: Path, figure: Figure) -> None:
    """Write a figure, whole or not at all; what is the same gives the same file."""
    from matplotlib import rc_context  # noqa: PLC0415 - an extra

    stable = {"Date": None} if path.suffix == ".svg" else None  # and no random names
    with whole_file(path) as temporary, rc_context({"svg.hashsalt": "tucker"}):
        figure.savefig(temporary, format=path.suffix[1:], dpi=120, metadata=stable)


def _curve(result: Result) -> tuple[list[float], list[float]]:
    entries = [entry for entry in result.journal if "valid_mrr" in entry]
    return [entry["seconds"] / 60 for entry in entries], [entry["valid_mrr"] for entry in entries]
