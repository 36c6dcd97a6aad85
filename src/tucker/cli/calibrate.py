"""tucker calibrate"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tucker.cli.facts import NOT_FITTED
from tucker.cli.options import Json, RunPath
from tucker.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from tucker.api import Calibrated, Reliability


def calibrate(
    run: RunPath,
    method: Annotated[
        Literal["isotonic", "platt"],
        typer.Option(help="How to fit the curve from scores to probabilities."),
    ] = "isotonic",
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the reliability diagram: .svg, .png or .pdf."),
    ] = None,
    json: Json = False,
) -> None:
    """Calibrate the probabilities of a run on its validation split.

    The result is measured on the test split and kept in the run.
    """
    import tucker

    result = tucker.load(run).calibrate(method, plot=plot)
    if plot and result.test:
        note(f"wrote {plot}")
    elif plot:
        note(f"{plot} was not written: the graph has no test facts to measure probabilities on")
    if json:
        print_json(result.as_dict())
    else:
        _print(result)
    note(f"{run} now gives calibrated probabilities")
    if not result.calibration.facts:
        note(NOT_FITTED)


def _print(result: Calibrated) -> None:
    curves = len(result.calibration.curves)
    print_table(
        f"calibrated ({result.calibration.method}): {curves} relations have a curve of their own",
        ["probabilities", "ECE", "ECE of first", "Brier", "predictions", "true"],
        [
            [name, one.ece, one.ece_of_first, one.brier, one.predictions, one.true]
            for name, one in (
                ("answers, before calibration", result.uncalibrated),
                ("answers, calibrated", result.test),
                ("facts by themselves, calibrated", result.facts),
            )
            if one
        ],
    )
    if result.test and result.facts:
        _print_bins("new answers to each question of the test split", result.test)
        _print_bins("discovered facts for each fact of the test split", result.facts)


def _print_bins(what: str, measured: Reliability) -> None:
    print_table(
        f"the {measured.k} best {what}",
        ["from", "to", "predictions", "said", "came true"],
        [[b.low, b.high, b.predictions, b.probability, b.true] for b in measured.bins],
    )
