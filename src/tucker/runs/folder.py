"""Where a run's files stand, and how they get there whole or not at all."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from safetensors.torch import save_file

from tucker.errors import RunError
from tucker.files import sha256, whole_file, whole_folder, write_text
from tucker.graph import Graph
from tucker.models import Model
from tucker.runs.tables import ENTITIES, KNOWN, RELATIONS, read_graph_tables, write_graph_tables

FORMAT = 1
CONFIG = "config.yaml"
MODEL = "model.safetensors"
METRICS = "metrics.json"
JOURNAL = "journal.jsonl"
CALIBRATION = "calibration.json"  # only of a run that was calibrated
MANIFEST = "manifest.json"
_FILES = (CONFIG, MODEL, ENTITIES, RELATIONS, KNOWN, METRICS, JOURNAL)


class RunFolder:
    """The folder of a run: begun with its recipe and graph, finished with weights and metrics.

    The manifest is written last, with the checksum of every file; a folder without one is a run
    that has not finished.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    @property
    def checkpoint(self) -> Path:
        """Where an unfinished training keeps its state."""
        return self.path / "checkpoints" / "last.safetensors"

    @property
    def beside(self) -> Path:
        """Where, until the run is finished, the model stands that was trained to be beside it."""
        return self.checkpoint.parent / "beside"

    @property
    def begun(self) -> bool:
        """Whether a run was begun here."""
        return (self.path / CONFIG).exists()

    @property
    def finished(self) -> bool:
        """Whether the run here has its weights."""
        return (self.path / MANIFEST).exists()

    def check_free(self) -> None:
        """Refuse a place that has something in it."""
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise RunError(
                f"{self.path} exists already: choose another folder, or --resume the run in it"
            )

    def begin(self, config: dict[str, Any], graph: Graph) -> None:
        """Make the folder of a new run."""
        self.check_free()
        with whole_folder(self.path) as temporary:
            write_graph_tables(temporary, graph)
            write_text(temporary / CONFIG, yaml.safe_dump(config, sort_keys=False))

    def discard(self) -> None:
        """Remove what was begun here: there is nothing in it to go on with."""
        shutil.rmtree(self.path)

    def config(self) -> dict[str, Any]:
        """Return the resolved recipe of the run."""
        config = self.path / CONFIG
        try:
            return dict(yaml.safe_load(config.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise RunError(f"{self.path} is not a run: it has no {CONFIG}") from None
        except (OSError, ValueError, TypeError, yaml.YAMLError) as error:
            raise RunError(f"{config}: is not the config of a run; train anew") from error

    def graph(self) -> Graph:
        """Return the graph of the run, from its own tables."""
        config = self.config()
        graph = read_graph_tables(self.path, str(config.get("graph", self.path.name)))
        return replace(graph, split_version=config.get("split_version") or 1)

    def write_journal(self, journal: list[dict[str, Any]]) -> None:
        """Write the journal, a line an epoch."""
        write_text(self.path / JOURNAL, "".join(f"{json.dumps(entry)}\n" for entry in journal))

    def finish(self, model: Model, metrics: dict[str, Any]) -> None:
        """Add weights, metrics and the manifest; the checkpoint is not needed any more."""
        with whole_file(self.path / MODEL) as temporary:
            tensors = {name: value.contiguous() for name, value in model.state_dict().items()}
            save_file(tensors, temporary)
        write_text(self.path / METRICS, json.dumps(metrics, indent=2) + "\n")
        self.seal()
        shutil.rmtree(self.checkpoint.parent, ignore_errors=True)

    def write_calibration(self, calibration: dict[str, Any]) -> None:
        """Add a calibration to a finished run, or replace it.

        The manifest lets go of the old one first: whatever happens, the run can be loaded.
        """
        self.seal()
        write_text(self.path / CALIBRATION, json.dumps(calibration, indent=2) + "\n")
        self.seal(calibrated=True)

    def seal(self, *, calibrated: bool = False) -> None:
        """Write the manifest for the files as they are now."""
        files = {
            name: {"bytes": (self.path / name).stat().st_size, "sha256": sha256(self.path / name)}
            for name in (*_FILES, *([CALIBRATION] if calibrated else []))
        }
        manifest = {"format": FORMAT, "files": files}
        write_text(self.path / MANIFEST, json.dumps(manifest, indent=2) + "\n")

    def check(self) -> frozenset[str]:
        """Refuse a folder that is no finished run, or whose files are not what was written.

        Return the names of its files.
        """
        if not self.path.is_dir():
            raise RunError(f"{self.path}: there is no such run folder")
        if not self.finished:
            what = (
                "has not finished: --resume it"
                if self.begun
                else f"is not a run: it has no {MANIFEST}"
            )
            raise RunError(f"{self.path} {what}")
        try:
            manifest = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
            version = manifest["format"]
            sums = {name: file["sha256"] for name, file in manifest["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            message = "is not the manifest of a run; restore it or train anew"
            raise RunError(f"{self.path / MANIFEST}: {message}") from error
        if version != FORMAT:
            raise RunError(
                f"{self.path} has run format {version!r}; this version reads format {FORMAT}: "
                "use the version of Tucker that wrote it"
            )
        names = {*_FILES, *({CALIBRATION} & sums.keys())}
        for name in sorted(names):
            file = self.path / name
            if name not in sums or not file.exists():
                raise RunError(f"{self.path}: {name} is missing; restore it or train anew")
            if sha256(file) != sums[name]:
                raise RunError(
                    f"{file}: has changed since it was written; restore it or train anew"
                )
        return frozenset(names)
