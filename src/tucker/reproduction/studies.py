"""The tables and figures of the paper that are no comparison of trainings, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from tucker.errors import ResultError
from tucker.pipeline.plots import check_picture
from tucker.reproduction.figure2 import figure2
from tucker.reproduction.figure3 import figure3
from tucker.reproduction.study import Study
from tucker.reproduction.table1 import table1
from tucker.reproduction.table2 import table2
from tucker.reproduction.theorem1 import theorem1

StudyName = Literal["table1", "table2", "figure2", "figure3", "theorem1"]
STUDIES: tuple[StudyName, ...] = get_args(StudyName)


def study(
    name: StudyName,
    *,
    train: bool = False,
    results: Path | str = "results",
    runs: Path | str = "runs",
    plot: Path | str | None = None,
) -> Study:
    """Return a table or a figure of the paper from what is kept in `results`.

    `train` makes what is not there; only figure3 takes more than seconds, and goes on where it was
    stopped. `plot` draws a figure into a file.
    """
    if plot:
        check_picture(Path(plot))
    results = Path(results)
    if name == "table1":
        found = table1()
    elif name == "figure3":
        found = figure3(results, runs=Path(runs), train=train)
    else:
        others = {"table2": table2, "figure2": figure2, "theorem1": theorem1}
        found = others[name](results, train=train)
    if plot:
        if found.draw is None:
            raise ResultError(f"{plot}: {name} is a table, and is not drawn")
        found.draw(Path(plot))
    return found
