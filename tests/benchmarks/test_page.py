"""The page of benchmarks says what the results say, and what is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.page import draw, load, page
from tests.benchmarks.samples import everything

ROOT = Path(__file__).parents[2]


def test_figures_of_every_result_are_on_the_page():
    text = page(everything())
    for figure in (
        "| PyKEEN 1.11.1 | 2,200 |",
        "| WN18RR, d_e = 200, d_r = 200 | ms a step |",
        "55.0 times as fast",
        "| step of 512, softmax | 125 |",
        "| ranking |  |  | 9,000 | 41 | 40 | 10.0 |",
        "| entities | 80,000 | 320 |",
        "| WN18RR | plain PyTorch | 3 | 15.0 | 0.020 | 0.040 | 0.060 |",
        "| FB15k-237 | Tucker, bfloat16 | 3 | 15.0 | 0.020 |",
        "| alone | 1,234 | 40.0 | 60.0 | 95.5 | 0 | 0 |",
        "| beside discoveries | 876 | 40.0 | 60.0 | 150 | 0 | 0 |",
        "killed 100 times while decisions were written; of 2,345",
        "Commit 0123456789ab; a CPU, 2 cores",
    ):
        assert figure in text
    assert "Not measured" not in text


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("peers-wn18rr", "bench-peers"),
        ("engine-wn18rr", "bench"),
        ("growth", "bench-growth"),
        ("curve-wn18rr-ours", "bench-curve"),
        ("serve", "bench-serve"),
        ("kill", "bench-kill"),
    ],
)
def test_what_is_missing_says_which_command_measures_it(missing, command):
    results = everything()
    del results[missing]
    assert f"Not measured here yet: {missing}. `make {command}` does it." in page(results)


def test_every_picture_of_the_page_is_drawn_and_always_the_same(tmp_path):
    results = everything()
    for folder in ("one", "other"):
        draw(tmp_path / folder, results)
    pictures = re.findall(r"\]\(\.\./figures/(.*?\.svg)\)", page(results))
    assert len(pictures) == 4
    assert sorted(pictures) == sorted(path.name for path in (tmp_path / "one").iterdir())
    for name in pictures:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_results_are_loaded_by_the_names_of_their_files(tmp_path):
    (tmp_path / "growth.json").write_text(json.dumps({"graph": "some"}), encoding="utf-8")
    assert load(tmp_path) == {"growth": {"graph": "some"}}


def test_the_page_is_that_of_the_results():
    """`make bench-page` mends it."""
    results = load(ROOT / "results" / "benchmarks")
    assert (ROOT / "docs" / "notebook" / "benchmarks.md").read_text(encoding="utf-8") == page(
        results
    )
