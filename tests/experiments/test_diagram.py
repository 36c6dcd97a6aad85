from __future__ import annotations

from tucker.experiments.diagram import draw_reliability
from tucker.prediction.reliability import Bin, Reliability

BINS = [Bin(0.0, 0.1, 90, 0.02, 0.03), Bin(0.9, 1.0, 10, 0.95, 0.9)]


def test_a_diagram_is_drawn_and_the_same_twice(tmp_path):
    one = Reliability("test", 10, 10, 100, 0.1, 0.02, 0.05, 0.1, BINS)
    for name in ("a.svg", "b.svg"):
        draw_reliability(tmp_path / name, {"own": one, "<calibrated>": one})
    drawn = (tmp_path / "a.svg").read_text()
    assert drawn == (tmp_path / "b.svg").read_text()
    assert drawn.startswith("<?xml")
