"""Heatmaps of relation matrices, as in the paper's section on asymmetric relations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from torch import Tensor
from torch.nn import functional as F

from tucker.experiments.curves import check_picture, save_picture


def heatmap_text(matrix: Tensor, rows: int = 16, columns: int = 32) -> str:
    """Lay out the absolute values of a matrix, coarsely, in shades of a terminal."""
    shape = min(rows, matrix.shape[0]), min(columns, matrix.shape[1])
    means = F.adaptive_avg_pool2d(matrix.abs()[None], shape)[0]
    shades = (4 * means / means.max().clamp_min(1e-12)).round().int().tolist()
    return "\n".join("".join("·░▒▓█"[shade] for shade in row) for row in shades)


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
