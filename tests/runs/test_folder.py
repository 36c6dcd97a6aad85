from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch

from tucker.errors import RunError
from tucker.graph import SPLITS, Graph, Vocabulary
from tucker.mixture import build_model
from tucker.models import Model
from tucker.runs import RunFolder, load_run

CONFIG: dict[str, Any] = {
    "graph": "drawn",
    "model": {"name": "tucker", "d_e": 5, "d_r": 3},
    "training": {"loss": "softmax"},
}


@pytest.fixture
def saved(graph: Graph, tmp_path: Path) -> tuple[RunFolder, Model, Graph]:
    labels = pl.Series(["Äther", None, *graph.entities.names[2:]], dtype=pl.String)
    entities = Vocabulary("entity", graph.entities.names, labels)
    graph = dataclasses.replace(graph, entities=entities)
    model = build_model(CONFIG, graph).eval()
    folder = RunFolder(tmp_path / "run")
    folder.begin(CONFIG, graph)
    folder.write_journal([{"epoch": 1, "loss": 0.5}])
    folder.finish(model, {"valid": {"mrr": 0.25}})
    return folder, model, graph


def test_what_is_saved_is_loaded(saved: tuple[RunFolder, Model, Graph]) -> None:
    folder, model, graph = saved
    run = load_run(folder.path)
    s, r = torch.arange(graph.n_e), torch.arange(graph.n_e) % (2 * graph.n_r)
    assert torch.equal(run.model.score_objects(s, r), model.score_objects(s, r))
    assert (run.config, run.metrics["valid"]) == (CONFIG, {"mrr": 0.25})
    assert run.journal == [{"epoch": 1, "loss": 0.5}]
    for split in SPLITS:
        assert np.array_equal(run.graph.split(split), graph.split(split))
    assert run.graph.entities.names.to_list() == graph.entities.names.to_list()
    assert run.graph.entities.label(0) == "Äther"
    assert run.graph.entities.label(1) is None
    assert run.graph.relations.labels is None


def test_the_folder_is_readable_without_this_library(saved: tuple[RunFolder, Model, Graph]) -> None:
    folder, _, graph = saved
    names = {file.name for file in folder.path.iterdir()}
    assert names == {
        "config.yaml", "model.safetensors", "entities.parquet", "relations.parquet",
        "known.parquet", "metrics.json", "journal.jsonl", "manifest.json",
    }  # fmt: skip
    assert pl.read_parquet(folder.path / "entities.parquet").columns == ["id", "name", "label"]
    known = pl.read_parquet(folder.path / "known.parquet")
    assert known.columns == ["subject", "relation", "object", "split"]
    assert len(known) == len(graph.known)
    manifest = json.loads((folder.path / "manifest.json").read_text())
    assert manifest["format"] == 1
    assert set(manifest["files"]) == names - {"manifest.json"}


@pytest.mark.parametrize("name", ["model.safetensors", "known.parquet", "config.yaml"])
def test_a_changed_file_is_refused(saved: tuple[RunFolder, Model, Graph], name: str) -> None:
    path = saved[0].path / name
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    with pytest.raises(RunError, match=f"{name}: has changed since it was written"):
        load_run(saved[0].path)


def test_a_missing_file_is_named(saved: tuple[RunFolder, Model, Graph]) -> None:
    (saved[0].path / "relations.parquet").unlink()
    with pytest.raises(RunError, match=r"relations\.parquet is missing"):
        load_run(saved[0].path)


def test_an_unknown_format_is_refused(saved: tuple[RunFolder, Model, Graph]) -> None:
    path = saved[0].path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 7}))
    with pytest.raises(RunError, match="run format 7; this version reads format 1"):
        load_run(saved[0].path)


def test_a_folder_that_is_no_finished_run_says_so(graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such run folder"):
        load_run(tmp_path / "nothing")
    with pytest.raises(RunError, match="is not a run"):
        load_run(tmp_path)
    folder = RunFolder(tmp_path / "begun")
    folder.begin(CONFIG, graph)
    with pytest.raises(RunError, match="has not finished: --resume it"):
        load_run(folder.path)


def test_a_folder_in_use_is_not_overwritten(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("data")
    with pytest.raises(RunError, match="exists already"):
        RunFolder(tmp_path).begin(CONFIG, graph)
    assert [file.name for file in tmp_path.iterdir()] == ["precious"]
