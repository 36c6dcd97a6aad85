"""A finished run in memory, loaded from its folder or to be saved in one."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file

from tucker.errors import RunError
from tucker.graph import Graph
from tucker.mixture import build_model
from tucker.models import Model
from tucker.runs.chance_curves import Calibration
from tucker.runs.folder import CALIBRATION, JOURNAL, METRICS, MODEL, RunFolder


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """Everything a trained model needs to be asked: weights, names and known facts."""

    path: Path | None  # None while it is only in memory
    config: dict[str, Any]
    graph: Graph
    model: Model
    metrics: dict[str, Any]
    journal: list[dict[str, Any]]
    calibration: Calibration | None = None


def load_run(path: Path | str) -> FinishedRun:
    """Load a finished run; its scores are bit-equal to those of the model that was saved."""
    folder = RunFolder(path)
    files = folder.check()
    config, graph = folder.config(), folder.graph()
    model = build_model(config, graph)
    try:
        model.load_state_dict(load_file(folder.path / MODEL))
    except (RuntimeError, SafetensorError) as error:
        raise RunError(f"{folder.path / MODEL}: does not fit its config ({error})") from error
    model.eval()
    lines = (folder.path / JOURNAL).read_text(encoding="utf-8").splitlines()
    return FinishedRun(
        path=folder.path,
        config=config,
        graph=graph,
        model=model,
        metrics=json.loads((folder.path / METRICS).read_text(encoding="utf-8")),
        journal=[json.loads(line) for line in lines],
        calibration=_calibration(folder.path / CALIBRATION, graph)
        if CALIBRATION in files
        else None,
    )


def save_run(run: FinishedRun, path: Path | str) -> FinishedRun:
    """Write a run into a new folder, and return it as the run of that folder."""
    folder = RunFolder(path)
    folder.begin(run.config, run.graph)
    folder.write_journal(run.journal)
    folder.finish(run.model, run.metrics)
    if run.calibration:
        folder.write_calibration(run.calibration.as_dict(run.graph))
    return replace(run, path=folder.path)


def _calibration(path: Path, graph: Graph) -> Calibration:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        data = None
    return Calibration.of_dict(data, graph, str(path))
