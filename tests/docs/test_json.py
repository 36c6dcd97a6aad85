"""docs/reference/json.md says what the commands print: every key, its type, and no other."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
import typer

from tests.cli.running import tucker
from tests.docs.conftest import DOCS, ROOT, SMALL
from tests.docs.forms import check, every_key, read_page
from tests.serving.server import Server
from tucker.cli.main import app
from tucker.cli.reproduce import reproduce
from tucker.pipeline import demo
from tucker.pipeline.recipe import make_recipe, with_changes
from tucker.reproduction.results import Result

PAGE = read_page((DOCS / "reference" / "json.md").read_text(encoding="utf-8"))
FACT = ["--subject", "p5", "--relation", "knows", "--object", "p8"]


def printed(command: str, *runs: list[object]) -> None:
    """Run a command in several ways: each keeps the form, and together they show all of it."""
    name = f"tucker {command}"
    values = [tucker(*command.split(), *words, "--json").json() for words in runs]
    shown(name, values)


def shown(name: str, values: list[object], never: frozenset[str] = frozenset()) -> None:
    seen = set().union(*(check(PAGE, name, value) for value in values))
    assert seen == every_key(PAGE.forms[name]) - never


def with_json(command: typer.core.TyperCommand, name: str) -> set[str]:
    below = getattr(command, "commands", {})
    if below:
        return set().union(*(with_json(one, f"{name} {word}") for word, one in below.items()))
    return {name} if any("--json" in one.opts for one in command.params) else set()


def test_every_command_with_json_has_its_form():
    variants = {f"tucker reproduce {name}" for name in ("table1", "figure2", "all")}
    assert set(PAGE.listed) - variants == with_json(typer.main.get_command(app), "tucker")


def test_train(likes):
    quick = ["--graph", likes, *SMALL, "--set=model.d_r=4", "--set=training.epochs=2"]
    printed("train", [*quick, "--evaluate", "test"], quick)


def test_evaluate(made):
    printed("evaluate", [made], [made, "--by", "relation"], [made, "--split", "valid"])


def test_predict(made):
    words = [made, "--subject", "p1", "--relation", "knows"]
    printed("predict", [*words, "-k", "3"], [*words, "-k", "2", "--explain"])


def test_discover(made):
    printed("discover", [made, "-k", "3", "--subject", "p1"])


def test_score(made, tmp_path):
    (tmp_path / "facts.tsv").write_text("p1\tlikes\tp4\np2\tknows\tp3\n", encoding="utf-8")
    printed("score", [made, tmp_path / "facts.tsv"])


def test_explain(made):
    printed("explain", [made, *FACT], [made, *FACT[:2], "--relation", "likes", *FACT[4:]])


def test_neighbours(made):
    printed("neighbours", [made, "p4", "-k", "23"])


def test_calibrate(made, tmp_path):
    copy = Path(shutil.copytree(made, tmp_path / "copy"))
    printed("calibrate", [copy], [copy, "--method", "platt"])


def test_classify(made):
    printed("classify", [made])


def test_rules(made):
    printed("rules", [made, "-k", "3"])


def test_inspect(made):
    printed("inspect", [made], [made, "--relation", "knows"])


def test_fold_in(made, tmp_path):
    (tmp_path / "new.tsv").write_text("new\tlikes\tp4\n", encoding="utf-8")
    printed("fold-in", [made, "new.tsv", "--out", tmp_path / "larger"])


def test_convert(likes, tmp_path):
    words = ["--graph", likes, "--model", "distmult", "--out", tmp_path / "old", *SMALL]
    assert tucker("train", *words, "--set=training.epochs=2").code == 0
    printed("convert", [tmp_path / "old", "--out", tmp_path / "new"])


def test_export(made, tmp_path):
    printed("export", [made, "--format", "word2vec", "--out", tmp_path / "vectors.txt"])


def test_serve(made, tmp_path):
    with Server(made, "--decisions", tmp_path / "decisions.sqlite") as server:
        shown("tucker serve", [server.said])


def test_graph_stats(likes):
    printed("graph stats", [likes])


def test_graph_split(likes, tmp_path):
    printed("graph split", [likes, "--out", tmp_path / "splits"])


def test_graph_convert(likes, tmp_path):
    printed("graph convert", [likes, "--out", tmp_path / "facts.nt"])


def test_datasets_list():
    printed("datasets list", [])


@pytest.mark.usefixtures("tiny")
def test_datasets_fetch(mirror):
    printed("datasets fetch", ["Tiny"])


def test_models():
    printed("models", [], ["--graph", "world"])


def test_demo(monkeypatch, tmp_path):
    tiny = ["training.epochs=1", "training.validate_every=1", "model.d_e=10", "model.d_r=5"]
    monkeypatch.setattr(
        demo, "make_recipe", lambda settings: make_recipe(with_changes(settings, tiny))
    )
    value = tucker("demo", "--out", tmp_path / "run", "--json").json()
    shown("tucker demo", [value], never=frozenset({"findings.labels"}))  # world has no labels


def reproduced(name: str) -> list[str]:
    """Return the tables that a section says it is about."""
    page = (DOCS / "reference" / "json.md").read_text(encoding="utf-8")
    section = page.partition(f"### {name}\n")[2].partition(" Prints ")[0]
    return re.findall(r"`(\w+)`", section)


def test_reproduce():
    names = reproduced("tucker reproduce")
    printed("reproduce", *([name, "--results", ROOT / "results"] for name in names))
    studies = reproduced("tucker reproduce figure2")
    others = {"table1", "figure2", *studies, "all"}
    assert others | set(names) == set(get_args(get_type_hints(reproduce)["table"]))


def test_studies(tmp_path):
    printed("reproduce table1", [])
    printed("reproduce figure2", ["--train", "--results", tmp_path])
    printed("reproduce all", ["--results", tmp_path])


def test_results():
    """Every reported result has the keys that the page names, and the class has no others."""
    results = sorted((ROOT / "results").glob("*/*-seed*.json"))
    assert results
    for path in results:
        form = PAGE.forms["Results"]
        assert form.keys.keys() == json.loads(path.read_bytes()).keys()
    assert form.keys.keys() == Result.model_fields.keys()


def test_a_form_that_differs_is_found():
    assert re.search(r"^\| `mrr` \|", (DOCS / "reference" / "json.md").read_text(), re.MULTILINE)
    for wrong in ({"out": "x"}, {"name": "x", "path": 1}, {"name": "x", "path": "y", "more": 1}):
        with pytest.raises(AssertionError):
            check(PAGE, "tucker datasets fetch", wrong)
