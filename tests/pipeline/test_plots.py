from __future__ import annotations

import json
import re
import sys

import pytest
import torch

from tests.reproduction.test_compare import result
from tucker.errors import ExtraError, ResultError, SettingsError
from tucker.pipeline.plots import check_picture, draw_curves, draw_heatmaps, draw_reliability
from tucker.prediction.calibration.reliability import Bin, Reliability
from tucker.reproduction.curves import load_yardsticks, result_curve

DATASETS = ("WN18RR", "FB15k-237")
JOURNAL = [
    {"epoch": 1, "seconds": 30.0},
    {"epoch": 2, "seconds": 60.0, "valid_mrr": 0.2},
    {"epoch": 3, "seconds": 90.0, "valid_mrr": 0.3},
]

MATRICES = {"likes": torch.eye(4), "costs $5 or $6": torch.zeros(4, 4)}
BINS = [Bin(0.0, 0.1, 90, 0.02, 0.03), Bin(0.9, 1.0, 10, 0.95, 0.9)]


@pytest.fixture
def results():
    pytest.importorskip("matplotlib")
    measured = [result(seed).model_copy(update={"journal": JOURNAL}) for seed in (0, 1)]
    return [*map(result_curve, measured)]


def test_a_curve_a_result(results, tmp_path):
    draw_curves(tmp_path / "curves.svg", DATASETS, results)
    text = (tmp_path / "curves.svg").read_text()
    assert text.count("<svg ") == 1
    for label in ("fast/a, seed 0", "fast/a, seed 1", "minutes", *DATASETS):
        assert re.search(rf"<!-- {label} -->", text)


def test_yardsticks_are_drawn_beside_results(results, tmp_path):
    yardstick = {"dataset": "FB15k-237", "recipe": "paper/fb15k-237", "journal": JOURNAL[1:]}
    for side in ("plain", "ours", "bfloat16"):
        text = json.dumps(yardstick | {"side": side})
        (tmp_path / f"curve-fb15k-237-{side}.json").write_text(text)
    curves = load_yardsticks(tmp_path)
    assert [curve.minutes for curve in curves] == [[1.0, 1.5]] * 3
    draw_curves(tmp_path / "curves.svg", DATASETS, [*results, *curves])
    text = (tmp_path / "curves.svg").read_text()
    sides = [f"paper/fb15k-237{words}" for words in ("", ", plain PyTorch", ", bfloat16")]
    for label in (*sides, "fast/a, seed 1"):
        assert re.search(rf"<!-- {label} -->", text)


@pytest.mark.parametrize("text", ["", "[]", '{"dataset": "FB15k-237"}', '{"journal": "valid_mrr"}'])
def test_what_is_no_yardstick_is_named(text, tmp_path):
    (tmp_path / "curve-x.json").write_text(text)
    with pytest.raises(ResultError, match=r"curve-x\.json: is no curve"):
        load_yardsticks(tmp_path)


def test_the_same_results_give_the_same_file(results, tmp_path):
    for name in ("one.svg", "two.svg"):
        draw_curves(tmp_path / name, DATASETS, results)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_other_formats(results, tmp_path):
    draw_curves(tmp_path / "curves.png", DATASETS, results)
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(SettingsError, match=r"a plot must be one of \.svg, \.png, \.pdf"):
        draw_curves(tmp_path / "curves.gif", DATASETS, results)


def test_without_matplotlib_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ExtraError, match=r"pip install 'tucker\[plots\]'"):
        check_picture(tmp_path / "curves.svg")


def test_a_panel_a_matrix(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "two.svg"):
        draw_heatmaps(tmp_path / name, MATRICES)
    text = (tmp_path / "one.svg").read_text()
    for label in (*MATRICES, "subject", "object"):
        assert re.search(rf"<!-- {re.escape(label)} -->", text)
    assert text == (tmp_path / "two.svg").read_text()  # nothing of it is by chance
    draw_heatmaps(tmp_path / "one.png", MATRICES)
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_a_diagram_is_drawn_and_the_same_twice(tmp_path):
    one = Reliability("test", 10, 10, 100, 0.1, 0.02, 0.05, 0.1, BINS)
    for name in ("a.svg", "b.svg"):
        draw_reliability(tmp_path / name, {"own": one, "<calibrated>": one})
    drawn = (tmp_path / "a.svg").read_text()
    assert drawn == (tmp_path / "b.svg").read_text()
    assert drawn.startswith("<?xml")
