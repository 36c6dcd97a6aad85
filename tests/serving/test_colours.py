"""The colours of the page can be told apart, in the light scheme and the dark one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.serving.colours import contrast

PAGE = Path(__file__).parents[2] / "src" / "tucker" / "serving" / "page"
CSS = (PAGE / "style.css").read_text(encoding="utf-8")
SCHEMES = dict(zip(("light", "dark"), re.findall(r":root \{(.*?)\}", CSS, re.S), strict=True))
TEXT = [
    (text, back)
    for text in ("text", "soft", "accent", "good", "bad")
    for back in ("back", "raised")
]
TEXT += [("back", "accent"), ("back", "text")]  # the chosen option; the status line
SHAPES = [(shape, back) for shape in ("edge", "bar", "accent") for back in ("back", "raised")]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("front", "back", "least"), [(*pair, 4.5) for pair in TEXT] + [(*pair, 3) for pair in SHAPES]
)
def test_colours_differ_enough(scheme, front, back, least):
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", SCHEMES[scheme]))
    assert contrast(colours[front], colours[back]) >= least


@pytest.mark.parametrize(
    "part", ["input, select, button", "#found", "meter::-webkit-meter-bar", "progress"]
)
def test_controls_have_an_edge_that_is_seen(part):
    rule = re.search(rf"^{re.escape(part)} \{{(.*?)\}}", CSS, re.S | re.M)
    assert rule is not None
    assert "border: 1px solid var(--edge)" in rule[1]


def test_small_text_of_the_chosen_option_has_its_colour():
    assert '#found li[aria-selected="true"] small { color: inherit; }' in CSS
