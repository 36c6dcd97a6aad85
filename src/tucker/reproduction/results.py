"""A reported result: what a recipe reached with one seed, and how that came about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tucker.errors import ResultError
from tucker.evaluation import Evaluation
from tucker.files import write_text
from tucker.graph.datasets.find import dataset_name
from tucker.pipeline.companion import own_entries
from tucker.runs import FinishedRun


class Ranking(BaseModel):
    """The figures of a split, and whatever else `tucker evaluate --json` prints of it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    mrr: float = Field(ge=0, le=1)
    hits_at_1: float = Field(ge=0, le=1)
    hits_at_3: float = Field(ge=0, le=1)
    hits_at_10: float = Field(ge=0, le=1)


class Result(BaseModel):
    """What one run reached; what is not known of how it was made is None."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dataset: str
    model: str
    recipe: str
    config: dict[str, Any]
    seed: int
    commit: str | None
    machine: dict[str, Any] | None
    seconds: float = Field(gt=0)  # of training and validation, and of learning rules
    epochs: int = Field(ge=1)
    best_epoch: int = Field(ge=1)
    peak_memory_mb: float | None
    parameters: int = Field(ge=1)
    valid: Ranking
    test: Ranking
    journal: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        """Return the form of a file of results."""
        return self.model_dump(mode="json")


def make_result(
    run: FinishedRun,
    test: Evaluation,
    *,
    recipe: str,
    commit: str | None = None,
    machine: dict[str, Any] | None = None,
    peak_memory_mb: float | None = None,
) -> Result:
    """Make the result of a finished run, trained as the recipe of that name says."""
    return Result(
        dataset=dataset_name(run.graph.name) or run.graph.name,
        model=run.config["model"]["name"],
        recipe=recipe,
        config=run.config,
        seed=run.config["seed"],
        commit=commit,
        machine=machine,
        seconds=run.journal[-1]["seconds"] + run.journal[-1].get("rules_seconds", 0.0),
        epochs=len(run.journal),
        best_epoch=_kept_epoch(run),
        peak_memory_mb=peak_memory_mb,
        parameters=run.model.count_parameters(),
        valid=Ranking(**run.metrics["valid"]),
        test=Ranking(**test.as_dict()),
        journal=run.journal,
    )


def _kept_epoch(run: FinishedRun) -> int:
    """Return the epoch whose weights a run has."""
    own = own_entries(run.journal)
    validated = [entry for entry in own if "valid_mrr" in entry]
    if not validated or run.config["training"].get("keep") == "last":
        return int(own[-1]["epoch"])
    return int(max(validated, key=lambda entry: entry["valid_mrr"])["epoch"])


def write_result(path: Path, result: Result) -> None:
    """Write a result, whole or not at all."""
    write_text(path, json.dumps(result.as_dict(), indent=2, allow_nan=False) + "\n")


def load_result(path: Path) -> Result:
    """Read a result from its file."""
    try:
        return Result.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ResultError(f"{path}: cannot be read ({error.strerror})") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        message = f"{path}: is not a result ({where + ': ' if where else ''}{first['msg']})"
        raise ResultError(f"{message}; restore it, or remove it and measure again") from error


def load_results(folder: Path) -> list[Result]:
    """Read all results of a folder, in the order of their files' names; none if there is none."""
    return [load_result(path) for path in sorted(folder.glob("*.json"))]
