"""Every example of Learn and Do is run, in the order of its page, and shows what the page shows."""

from __future__ import annotations

import shutil

import pytest
import typer.rich_utils

from tests.docs.pages import (
    ROOT,
    Block,
    Desk,
    Example,
    begin,
    blocks,
    epochs,
    numbers_a_line,
    preparations,
    same,
    steps,
    write,
)
from tucker.models import MODELS

PAGES = sorted(path for part in ("learn", "do") for path in (ROOT / "docs" / part).glob("*.md"))


@pytest.fixture(scope="module")
def begun():
    """Where pages begin, by the commands that lead there."""
    folders = {}
    yield folders
    for folder in folders.values():
        shutil.rmtree(folder.parent)


@pytest.fixture(autouse=True)
def _models():
    """What a page adds to the models is its own."""
    before = dict(MODELS)
    yield
    for name in MODELS.keys() - before.keys():
        del MODELS[name]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    """Nothing lands in the checkout, no dataset of this machine is seen, nothing is coloured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("TUCKER_DATA", "TUCKER_MIRROR", "FORCE_COLOR", "PY_COLORS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(typer.rich_utils, "FORCE_TERMINAL", None)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_examples_of_a_page_show_what_it_says(path, begun):
    page = path.read_text(encoding="utf-8")
    desk = Desk(quick=True)
    try:
        begin(desk, preparations(page), begun)
        desk.epochs = epochs(page)
        trained = bool(preparations(page))
        for step in steps(page):
            if isinstance(step, Block):
                write(step, quick=True)
                continue
            trained = trained or "train" in step.code
            check(step, desk.run(step), trained=trained)
    finally:
        desk.close()


def check(example: Example, outcome, *, trained: bool) -> None:
    """Compare an outcome with what is shown; figures and names of a trained model may differ."""
    told = f"{example.code}\n{outcome.text}"
    refused = example.shown.startswith("error: ")
    assert outcome.code == int(refused), told
    if not example.shown:
        return
    if example.python and trained:
        assert numbers_a_line(example.shown) == numbers_a_line(outcome.text), told
    elif example.code.split()[0] in ("cat", "head") and trained:
        assert tabs_a_line(example.shown) == tabs_a_line(outcome.text), told
    else:
        asked = any(word in example.code for word in ("runs/", "curl")) or example.python
        differs = (trained and asked and not refused) or "tucker reproduce" in example.code
        assert same(example.shown, outcome.text, alike=differs), told


def tabs_a_line(text):
    """Return how many columns each line of a file has: its names differ with the model."""
    return [line.count("\t") for line in text.splitlines()]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_not_run_says_why(path):
    for block in blocks(path.read_text(encoding="utf-8")):
        assert block.reason is None or len(block.reason.split()) > 2
        assert block.language not in ("bash", "sh", "shell", "pycon"), "use console or python"


def test_there_are_pages_with_examples():
    names = {f"{path.parent.name}/{path.stem}" for path in PAGES}
    assert {"learn/first-graph", "do/own-graph"} <= names
    assert len(steps((ROOT / "docs/learn/first-graph.md").read_text(encoding="utf-8"))) > 5


PAGE = """
<!-- first: tucker graph stats world -->

```console
$ tucker train --graph world \\
    --out runs/one
2 epochs in 1.5 s, 300 pairs/s
┏━━━┓
│ a │
│ 1 │
└───┘
the run is in runs/one
$ cat facts.tsv
a	b	c
```

```tsv title="facts.tsv"
a	b	c
```

```python
print(1)
```

```text
1
```

<!-- not run: it needs the network -->
```console
$ tucker datasets fetch umls
```
"""


def test_a_page_is_cut_into_what_a_reader_does():
    train, cat, file, python = steps(PAGE)
    assert train.code.split() == ["tucker", "train", "--graph", "world", "--out", "runs/one"]
    assert train.shown.startswith("2 epochs")
    assert PAGE[cat.start : cat.end] == cat.shown == "a\tb\tc\n"
    assert file.title == "facts.tsv"
    assert python.python
    assert python.shown == PAGE[python.start : python.end] == "1\n"
    assert preparations(PAGE) == ("tucker graph stats world",)
    reasons = [block.reason for block in blocks(PAGE)]
    assert reasons == [None, None, None, None, "it needs the network"]


@pytest.mark.parametrize(
    ("found", "is_alike"),
    [
        ("3 epochs in 9.5 s, 1,300 pairs/s\n│ a │\n│ 7 │\n│ 8 │\nthe run is in runs/one\n", True),
        ("3 epochs in 9.5 s, 1,300 pairs/s\n│ a │ b │\n│ 7 │ 8 │\nthe run is in runs/one\n", False),
        ("3 rounds in 9.5 s, 1,300 pairs/s\n│ a │\n│ 7 │\nthe run is in runs/one\n", False),
        ("3 epochs in 9.5 s, 1,300 pairs/s\n│ a │\n│ 7 │\n", False),
    ],
)
def test_outputs_alike_have_the_same_columns_and_words(found, is_alike):
    train, *_ = steps(PAGE)
    assert same(train.shown, found, alike=True) == is_alike


def test_what_is_left_out_may_be_anything_and_the_rest_may_not():
    assert same("a\n…\nd\n", "a\nb\nc\nd\n", alike=False)
    assert not same("a\n…\nd\n", "a\nb\nc\n", alike=False)
    assert same("a\n│ 1 │\n…\n│ 3 │\nb\n", "a\n│ 4 │\n│ 5 │\nb\n", alike=True)
    assert same('[{"a": 1}]\n', '[{"a": 2}, {"a": 3}]\n', alike=True)
    assert not same('[{"a": 1}]\n', '[{"b": 2}]\n', alike=True)
    assert same('[{"a": 1}\n…\n]\n', '[{"a": 2, "c": 3}]\n', alike=True)
