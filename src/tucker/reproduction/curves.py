"""Learning curves of results, and of the yardsticks that benchmarks measured."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

from tucker.errors import ResultError
from tucker.pipeline.companion import own_entries
from tucker.pipeline.plots import Curve
from tucker.reproduction.results import Result

_OF_SIDE = {"plain": ", plain PyTorch", "ours": "", "bfloat16": ", bfloat16"}


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


def result_curve(result: Result) -> Curve:
    """Return the learning curve of a result."""
    lines = [line for line in own_entries(result.journal) if "valid_mrr" in line]
    minutes = [line["seconds"] / 60 for line in lines]
    label = f"{result.recipe}, seed {result.seed}"
    return Curve(result.dataset, label, minutes, [line["valid_mrr"] for line in lines])


def load_yardsticks(folder: Path) -> list[Curve]:
    """Read the curves that `make bench-curve` has measured; none if there is none."""
    return [_yardstick(path) for path in sorted(folder.glob("curve-*.json"))]


def _yardstick(path: Path) -> Curve:
    try:
        one = Yardstick.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        message = f"{path}: is no curve of a benchmark"
        raise ResultError(f"{message}; remove it, or measure with: make bench-curve") from error
    label = one.recipe + _OF_SIDE[one.side]
    minutes = [line.seconds / 60 for line in one.journal]
    mrr = [line.valid_mrr for line in one.journal]
    return Curve(one.dataset, label, minutes, mrr, dashed=True)
