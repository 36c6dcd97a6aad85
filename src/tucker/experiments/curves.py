"""Learning curves of results: validation MRR against the minutes spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ValidationError

from tucker.errors import ResultError
from tucker.experiments.companion import own_entries
from tucker.experiments.results import Result
from tucker.files import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORMATS = (".svg", ".png", ".pdf")
_OF_SIDE = {"plain": ", plain PyTorch", "ours": "", "bfloat16": ", bfloat16"}


def check_picture(path: Path) -> None:
    """Refuse a picture that cannot be drawn here, before anything else is done for it."""
    if path.suffix not in _FORMATS:
        raise ResultError(f"{path}: a plot is one of {', '.join(_FORMATS)}")
    try:
        import matplotlib  # noqa: F401, PLC0415 - an extra
    except ImportError:
        raise ResultError("a plot needs Matplotlib: pip install 'tucker[plots]'") from None


class Line(BaseModel):
    """A line of a yardstick's journal."""

    seconds: float
    valid_mrr: float


class Yardstick(BaseModel):
    """A training of the paper's settings in the plain form or by us, as far as it went."""

    dataset: str
    recipe: str
    side: Literal["plain", "ours", "bfloat16"]
    journal: list[Line]


@dataclass(frozen=True)
class Curve:
    """Validation MRR over time."""

    dataset: str
    label: str
    minutes: list[float]
    mrr: list[float]


def load_curves(folder: Path) -> list[Curve]:
    """Read the yardsticks that `make bench-curve` has measured; none if there is none."""
    return [_yardstick(path) for path in sorted(folder.glob("curve-*.json"))]


def draw_curves(
    path: Path,
    datasets: Sequence[str],
    results: Sequence[Result],
    yardsticks: Sequence[Curve] = (),
) -> None:
    """Draw a panel a dataset with a curve a result, and dashed those of the yardsticks."""
    check_picture(path)
    if not results:
        raise ResultError(f"{path}: there is nothing measured to draw")
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(5 * len(datasets), 4.5), layout="constrained")
    panels = figure.subplots(1, len(datasets), squeeze=False)[0]
    for axes, dataset in zip(panels, datasets, strict=True):
        for line, curves in ((".-", [*map(_curve, results)]), (".--", yardsticks)):
            for curve in curves:
                if curve.dataset == dataset:
                    axes.plot(curve.minutes, curve.mrr, line, label=curve.label)
        axes.set(title=dataset, xlabel="minutes", ylabel="validation MRR")
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)
    save_picture(path, figure)


def save_picture(path: Path, figure: Figure) -> None:
    """Write a figure, whole or not at all; what is the same gives the same file."""
    from matplotlib import rc_context  # noqa: PLC0415 - an extra

    stable = {"Date": None} if path.suffix == ".svg" else None  # and no random names
    with whole_file(path) as temporary, rc_context({"svg.hashsalt": "tucker"}):
        figure.savefig(temporary, format=path.suffix[1:], dpi=120, metadata=stable)


def _curve(result: Result) -> Curve:
    lines = [line for line in own_entries(result.journal) if "valid_mrr" in line]
    minutes = [line["seconds"] / 60 for line in lines]
    label = f"{result.recipe}, seed {result.seed}"
    return Curve(result.dataset, label, minutes, [line["valid_mrr"] for line in lines])


def _yardstick(path: Path) -> Curve:
    try:
        one = Yardstick.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        message = f"{path}: is no curve of a benchmark"
        raise ResultError(f"{message}; remove it, or measure with: make bench-curve") from error
    label = one.recipe + _OF_SIDE[one.side]
    minutes = [line.seconds / 60 for line in one.journal]
    return Curve(one.dataset, label, minutes, [line.valid_mrr for line in one.journal])
