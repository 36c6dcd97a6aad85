"""docs/reference/run-folder.md says which files a run has, and what is in them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
import yaml
from safetensors.torch import load_file

from tests.cli.running import tucker
from tests.docs.conftest import DOCS

PAGE = (DOCS / "reference" / "run-folder.md").read_text(encoding="utf-8")
LATER = {"checkpoints/last.safetensors", "decisions.sqlite", "report.md"}
MODELS = {
    "plain": {"model": {"name": "tucker", "d_e": 6, "d_r": 4, "blocks": 2}},
    "rules": {"rules": {"facts": 64, "most": 20}},
    "beside": {"beside": {"model": {"name": "complex", "d_e": 8}, "training": {"epochs": 1}}},
}


def tables(title: str) -> list[dict[str, list[str]]]:
    """Return the tables of a section: for each first code span, the rest of its row."""
    body = PAGE if title == "" else PAGE.partition(f"## {title}\n")[2]
    body = body.partition("\n## ")[0]
    return [
        {
            re.findall(r"`([^`]+)`", line)[0]: [
                cell.strip() for cell in line.strip("|").split("|")[1:]
            ]
            for line in table.splitlines()[2:]
        }
        for table in re.findall(r"(?:^\|.*\n)+", body, re.MULTILINE)
    ]


@pytest.fixture(scope="module")
def runs(likes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds")
    for name, more in MODELS.items():
        settings = {"graph": str(likes), "model": {"name": "tucker", "d_e": 8, "d_r": 4}}
        settings |= {"training": {"epochs": 2, "validate_every": 2}} | more
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
        result = tucker("train", folder / f"{name}.yaml", "--out", folder / name)
        assert result.code == 0, result.err
    return folder


@pytest.fixture
def calibrated(made, tmp_path):
    copy = Path(shutil.copytree(made, tmp_path / "copy"))
    assert tucker("calibrate", copy).code == 0
    return copy


def test_the_files_are_those_of_the_folder(calibrated):
    (named, *_) = tables("")
    assert named.keys() - LATER == {path.name for path in calibrated.iterdir()}
    manifest = json.loads((calibrated / "manifest.json").read_text())
    assert set(manifest["files"]) == named.keys() - LATER - {"manifest.json"}
    assert manifest.keys() == tables("manifest.json")[0].keys()
    for one in manifest["files"].values():
        assert [f"`{key}`" in PAGE for key in one] == [True, True]


def test_what_comes_later_is_named_by_the_code():
    source = "".join(
        path.read_text(encoding="utf-8") for path in (DOCS.parent / "src").rglob("*.py")
    )
    for name in LATER:
        for part in name.split("/"):
            assert f'{part}"' in source


def test_the_columns_of_the_tables(made):
    (named, *_) = tables("")
    for name in ("entities.parquet", "relations.parquet", "known.parquet"):
        said = re.findall(r"`([^`]+)`", named[name][1])
        assert said == pl.read_parquet(made / name).columns


def size(text: str, sizes: dict[str, int]) -> tuple[int, ...]:
    """Return a shape such as (2 n_r, d_r / blocks)."""
    return tuple(
        int(eval(part.strip().replace("2 ", "2 * "), {}, sizes))
        for part in text.strip("()").split(",")
    )


@pytest.mark.parametrize("name", MODELS)
def test_the_tensors_have_these_names_and_shapes(runs, name):
    of_model, of_rules = tables("model.safetensors")
    found = {
        key: tuple(one.shape) for key, one in load_file(runs / name / "model.safetensors").items()
    }
    sizes = {"n_e": 24, "n_r": 2, "d_e": 8, "d_r": 4, "blocks": 1}
    sizes |= {key: MODELS[name].get("model", {}).get(key, sizes[key]) for key in sizes}
    if name == "beside":
        assert found["E"] == (24, 8 + 8)
        assert found["R"] == (4, 4 + 8)
        assert found["models.0.core"] == (8, 4, 8)
        assert {key.split(".")[0] for key in found} == {"E", "R", "models"}
        return
    before = "model." if name == "rules" else ""
    for tensor, (shape, _) in of_model.items():
        assert found.pop(before + tensor) == size(shape, sizes), tensor
    for norm in ("norm_subject", "norm_query"):
        for more in ("bias", "running_mean", "running_var"):
            assert f"`{more}`" in PAGE
            assert found.pop(f"{before}{norm}.{more}") == size("(d_e)", sizes)
        found.pop(f"{before}{norm}.num_batches_tracked")
    if name == "rules":
        sizes["rules"] = found["rules.codes"][0]
        for tensor, (shape, _) in of_rules.items():
            assert found.pop(tensor) == size(shape, sizes), tensor
    assert found == {}


def test_the_keys_of_the_journal(runs):
    (keys,) = tables("journal.jsonl")
    always = {key for key, (when, _) in keys.items() if when == "always"}
    seen = set()
    for name in MODELS:
        for line in (runs / name / "journal.jsonl").read_text().splitlines():
            entry = json.loads(line)
            assert always <= entry.keys()
            seen |= entry.keys()
    assert seen == keys.keys()


def test_the_keys_of_the_calibration(calibrated):
    kept = json.loads((calibrated / "calibration.json").read_text())
    assert kept.keys() == tables("calibration.json")[0].keys()
    inner = {*kept["pooled"], *kept["questions"][0], *kept["reliability"]}
    inner |= {key for one in kept["relations"] for key in one}
    assert all(f"`{key}`" in PAGE for key in inner)
