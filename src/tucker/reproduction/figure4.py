"""The paper's Figure 4: what ComplEx, SimplE and TuckER reach with embeddings of several sizes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tucker.pipeline.plots import check_picture, save_picture
from tucker.reproduction.compare import Comparison, Measured
from tucker.reproduction.published import Table

TABLE = Table("figure4", "Figure 4", {"FB15k-237": ()})
SIZES = (20, 50, 100, 200)
_OTHERS = ("ComplEx", "SimplE")


@dataclass(frozen=True)
class Point:
    """A model of a size: the numbers of an entity, or of each half where it has two."""

    model: str  # as the paper writes it
    size: int
    mrr: float
    parameters: int

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker reproduce figure4 --json` prints."""
        return {
            "model": self.model,
            "size": self.size,
            "mrr": self.mrr,
            "parameters": self.parameters,
        }


def points(comparison: Comparison) -> list[Point]:
    """Return what was measured, model by model, the smallest size first."""
    found = [_point(one) for one in comparison.measured if one.results]
    return sorted(found, key=lambda point: (point.model, point.size))


def _point(one: Measured) -> Point:
    mrr, parameters = one.mean("mrr"), one.parameters
    assert mrr is not None
    assert parameters is not None
    d_e = one.results[0].config["model"]["d_e"]
    return Point(one.title, d_e // 2 if one.title in _OTHERS else d_e, mrr, parameters)


def shortfalls(comparison: Comparison) -> dict[str, float]:
    """Return by how much TuckER of the smallest size is behind each other model of the largest.

    The paper says that it is "almost as good". What is not measured is left out.
    """
    by_place = {(point.model, point.size): point.mrr for point in points(comparison)}
    small = by_place.get(("TuckER", SIZES[0]))
    large = {name: by_place.get((name, SIZES[-1])) for name in _OTHERS}
    return {
        name: mrr - small for name, mrr in large.items() if mrr is not None and small is not None
    }


def draw(path: Path, comparison: Comparison) -> None:
    """Draw the test MRR of each model over the size of its embeddings."""
    check_picture(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    found = points(comparison)
    for model in dict.fromkeys(point.model for point in found):
        own = [point for point in found if point.model == model]
        sizes, mrr = [point.size for point in own], [point.mrr for point in own]
        axes.plot(sizes, mrr, ".-", label=model)
    axes.set(xlabel="size of embeddings", ylabel="test MRR", xticks=SIZES)
    axes.legend()
    axes.grid(alpha=0.3)
    save_picture(path, figure)
