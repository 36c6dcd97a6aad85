"""The plots of docs/notebook/benchmarks.md; the same figures give the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from benchmarks.measuring import CURVES, Figures
from tucker.files import whole_file

SIDES = {"ours": "Tucker", "plain": "plain PyTorch", "pykeen": "PyKEEN"}
COLOURS = {"ours": "#1b6ca8", "plain": "#9aa5b1", "pykeen": "#d98f3e"}
LINES = {"plain": ".--", "ours": ".-", "bfloat16": ".:"}
FACTORS = {"n_e": "entities", "n_r": "relations", "d_e": "d_e", "triples": "training triples"}
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "tucker",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw_sides(path: Path, results: list[Figures]) -> None:
    """Draw a row a dataset: bars for the time of a step, the speed of ranking and the memory."""
    panels = {
        "step_128_ms": "ms a step of 128 (less is better)",
        "queries_per_second": "ranking queries a second (more is better)",
        "peak_memory_mb": "peak memory, MB (less is better)",
    }
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(10, 1.9 * len(results)), layout="constrained")
        rows = figure.subplots(len(results), len(panels), squeeze=False)
        for row, result in zip(rows, results, strict=True):
            for axes, (key, title) in zip(row, panels.items(), strict=True):
                values = [result[side][key] for side in SIDES]
                bars = axes.barh(list(SIDES.values()), values, color=list(COLOURS.values()))
                axes.bar_label(bars, [f"{value:,.0f}" for value in values], padding=3)
                axes.set_title(title, fontsize="medium")
                axes.set_xlim(0, 1.25 * max(values))
                axes.invert_yaxis()
                axes.xaxis.set_visible(False)
                axes.spines["bottom"].set_visible(False)
            row[0].set_ylabel(result["graph"])
        _save(figure, path)


def draw_limits(path: Path, results: list[Figures]) -> None:
    """Draw which share of the machine's limit each step and the ranking reach."""
    names = {
        "step_512": "step of 512, Bernoulli",
        "bfloat16_step_512": "the same, bfloat16",
        "softmax_step_512": "step of 512, softmax",
        "bfloat16_softmax_step_512": "the same, bfloat16",
        "ranking": "ranking",
    }
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5 * len(results), 2.4), layout="constrained")
        panels = figure.subplots(1, len(results), squeeze=False)[0]
        for axes, result in zip(panels, results, strict=True):
            found = [key for key in names if key in result["share_of_limit"]]
            shares = [100 * result["share_of_limit"][key] for key in found]
            places = range(len(found))
            bars = axes.barh(places, shares, color=COLOURS["ours"])
            axes.set_yticks(places, [names[key] for key in found])
            axes.bar_label(bars, [f"{share:.0f} %" for share in shares], padding=3)
            axes.set_title(f"{result['graph']}, % of the limit", fontsize="medium")
            axes.set_xlim(0, 1.1 * max(100, *shares))
            axes.axvline(100, color="black", linewidth=0.8)
            axes.invert_yaxis()
        _save(figure, path)


def draw_growth(path: Path, result: Figures) -> None:
    """Draw time, speed and memory against each factor, all on logarithmic axes."""
    panels = {
        "step_ms": "ms a step",
        "queries_per_second": "ranking queries a second",
        "peak_memory_mb": "peak memory, MB",
    }
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(10, 3.2), layout="constrained")
        for axes, (key, title) in zip(figure.subplots(1, 3), panels.items(), strict=True):
            for factor, points in result["points"].items():
                base = points[0][factor]
                times = [point[factor] / base for point in points]
                axes.plot(times, [point[key] for point in points], ".-", label=FACTORS[factor])
            axes.set_title(title, fontsize="medium")
            axes.set_xlabel("times the base")
            _logarithmic(axes, times)
        figure.axes[0].legend(fontsize="small")
        _save(figure, path)


def draw_curves(path: Path, results: list[Figures]) -> None:
    """Draw validation MRR against the epochs: the plain form dashed, bfloat16 dotted."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6, 3), layout="constrained")
        axes = figure.subplots()
        datasets = list(dict.fromkeys(result["dataset"] for result in results))
        for result in results:
            epochs = [entry["epoch"] for entry in result["journal"]]
            mrr = [entry["valid_mrr"] for entry in result["journal"]]
            colour = f"C{datasets.index(result['dataset'])}"
            label = f"{result['dataset']}, {CURVES[result['side']]}"
            axes.plot(epochs, mrr, LINES[result["side"]], color=colour, label=label)
        axes.set(xlabel="epochs", ylabel="validation MRR", xlim=(0, None), ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
        _save(figure, path)


def _logarithmic(axes: Axes, ticks: list[float]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(alpha=0.3)


def _save(figure: Figure, path: Path) -> None:
    with whole_file(path) as temporary:
        figure.savefig(temporary, format="svg", metadata={"Date": None})
