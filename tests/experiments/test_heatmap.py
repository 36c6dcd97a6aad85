from __future__ import annotations

import re
import sys

import pytest
import torch

from tucker.errors import ResultError
from tucker.experiments.heatmap import draw_heatmaps

MATRICES = {"likes": torch.eye(4), "costs $5 or $6": torch.zeros(4, 4)}


@pytest.fixture
def _plots():
    pytest.importorskip("matplotlib")


@pytest.mark.usefixtures("_plots")
def test_a_panel_a_matrix(tmp_path):
    for name in ("one.svg", "two.svg"):
        draw_heatmaps(tmp_path / name, MATRICES)
    text = (tmp_path / "one.svg").read_text()
    for label in (*MATRICES, "subject", "object"):
        assert re.search(rf"<!-- {re.escape(label)} -->", text)
    assert text == (tmp_path / "two.svg").read_text()  # nothing of it is by chance
    draw_heatmaps(tmp_path / "one.png", MATRICES)
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ResultError, match=r"pip install 'tucker\[plots\]'"):
        draw_heatmaps(tmp_path / "one.svg", MATRICES)
