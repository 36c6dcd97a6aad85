from __future__ import annotations

import io

import pytest
from rich.console import Console

from tests.pipeline.conftest import tiny
from tucker.pipeline import train
from tucker.progress import Progress, ProgressBar, describe

MODULE = "tucker.progress"


def progress(**changes):
    values = {
        "epoch": 3,
        "epochs": 20,
        "done": 0.12,
        "loss": 0.012345,
        "best_mrr": 0.4567,
        "pairs_per_second": 12345.6,
        "seconds_left": 75.0,
    }
    return Progress(**(values | changes))


def test_one_line_says_where_training_stands():
    line = "epoch 3/20  loss 0.01235  valid MRR 0.457  12,346 pairs/s  1:15 left"
    assert describe(progress()) == line
    assert describe(progress(stage="complex, 1 of 2")) == f"complex, 1 of 2  {line}"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0:00 left"), (59.6, "1:00 left"), (3599.7, "1:00:00 left"), (7325, "2:02:05 left")],
)
def test_the_time_left(seconds, text):
    assert describe(progress(seconds_left=seconds)).endswith(f"  {text}")


def test_no_validation_yet():
    assert "MRR" not in describe(progress(best_mrr=None))


def test_a_bar_in_a_terminal(graph):
    screen = io.StringIO()
    with ProgressBar(Console(file=screen, force_terminal=True, width=100)) as bar:
        train(graph, tiny(), report=bar)
    assert "training" in screen.getvalue()
    assert "epoch 4/4" in screen.getvalue()


def test_elsewhere_a_line_now_and_then(graph, monkeypatch):
    log = io.StringIO()
    with ProgressBar(Console(file=log, width=40)) as bar:
        train(graph, tiny(), report=bar)
    assert log.getvalue() == ""  # it took less than the time between two lines
    monkeypatch.setattr(f"{MODULE}._LINE_SECONDS", 0.0)
    with ProgressBar(Console(file=log, width=40)) as bar:
        bar(progress())
        bar(progress(epoch=4))
    assert log.getvalue() == f"{describe(progress())}\n{describe(progress(epoch=4))}\n"
