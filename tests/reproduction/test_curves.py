"""Learning curves from the journals of results and of benchmarks."""

from __future__ import annotations

import json

import pytest

from tests.reproduction.test_compare import result
from tucker.errors import ResultError
from tucker.reproduction.curves import load_yardsticks, result_curve

JOURNAL = [
    {"epoch": 1, "seconds": 30.0},
    {"epoch": 2, "seconds": 60.0, "valid_mrr": 0.2},
    {"epoch": 3, "seconds": 90.0, "valid_mrr": 0.3},
]


def test_a_curve_has_the_validations_of_a_journal():
    curve = result_curve(result(1).model_copy(update={"journal": JOURNAL}))
    assert (curve.minutes, curve.mrr) == ([1.0, 1.5], [0.2, 0.3])
    assert curve.label.endswith(", seed 1")
    assert not curve.dashed


def test_a_model_beside_is_left_out():
    beside = [{**line, "beside": True, "valid_mrr": 0.9} for line in JOURNAL]
    curve = result_curve(result(0).model_copy(update={"journal": [*beside, *JOURNAL]}))
    assert curve.mrr == [0.2, 0.3]


def test_yardsticks_say_which_side_they_are(tmp_path):
    assert load_yardsticks(tmp_path) == []
    one = {"dataset": "FB15k-237", "recipe": "paper/fb15k-237", "journal": JOURNAL[1:]}
    for side in ("plain", "ours", "bfloat16"):
        (tmp_path / f"curve-{side}.json").write_text(json.dumps(one | {"side": side}))
    curves = load_yardsticks(tmp_path)
    assert [curve.label.removeprefix("paper/fb15k-237") for curve in curves] == [
        ", bfloat16", "", ", plain PyTorch",
    ]  # fmt: skip
    assert all(curve.dashed and curve.minutes == [1.0, 1.5] for curve in curves)


@pytest.mark.parametrize("text", ["", "[]", '{"dataset": "FB15k-237"}', '{"journal": "valid_mrr"}'])
def test_what_is_no_yardstick_is_named(text, tmp_path):
    (tmp_path / "curve-x.json").write_text(text)
    with pytest.raises(ResultError, match=r"curve-x\.json: is no curve"):
        load_yardsticks(tmp_path)
