"""Every public name has an example beside it, and the examples work."""

from __future__ import annotations

import doctest
import inspect
import shutil
from pathlib import Path

import pytest

import tucker
from tests.api.conftest import TINY, interrupted_after
from tucker.errors import TrainingStopped
from tucker.graph import load_graph, name_table

ELSEWHERE = (  # what needs a data set, minutes, or somebody to stop it
    '"fast/wn18rr"',
    'fetch_dataset("WN18RR")',
    "tucker.demo()",
    "demo.findings",
    "run.serve(",
)
SHORT = ["as_tucker", "of", "score_file", "train_on"]  # they name the method that has one


def public():
    """Give every public function, class and method by name."""
    for name in tucker.__all__:
        yield name, getattr(tucker, name)
    for name, member in vars(tucker.Run).items():
        method = getattr(member, "__func__", member)
        if inspect.isfunction(method) and not name.startswith("_") and name not in SHORT:
            yield f"Run.{name}", method


PUBLIC = dict(public())


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A desk with a part of the bundled graph, and runs on it."""
    folder = tmp_path_factory.mktemp("desk")
    world = load_graph("world")
    facts = name_table(world, world.known)
    inside = facts.filter(relation="in continent", object="Europe")["subject"]
    few = facts.filter(
        facts["relation"].is_in(["borders", "currency", "official language"])
        & facts["subject"].is_in(inside.implode())
    )
    few.write_csv(folder / "facts.tsv", separator="\t")
    few.head(20).write_csv(folder / "new-facts.tsv", separator="\t")
    tucker.convert_graph(folder / "facts.tsv", folder / "facts.ttl")
    settings = {"d_e": 16, "epochs": 20, "progress": False, "validate_every": 10}
    rules = {"weight": 0.5, "facts": 16, "most": 10}
    tucker.train(
        folder / "facts.tsv", d_r=6, rules=rules, out=folder / "runs" / "world", **settings
    )
    tucker.train(folder / "facts.tsv", "complex", out=folder / "runs" / "complex", **settings)
    return folder


@pytest.fixture
def desk(made, tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(shutil.copytree(made, tmp_path / "desk"))
    shutil.copy("new-facts.tsv", "facts.tsv")  # few facts are quickly trained on
    return tmp_path / "desk"


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_work(name):
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(PUBLIC[name]))
    assert examples, f"{name} has no example"
    if name == "convert_graph":
        Path("facts.tsv").unlink()  # it is written anew
    if name == "resume":
        with interrupted_after(1), pytest.raises(TrainingStopped):
            tucker.train("facts.tsv", out="runs/facts", **TINY)
    run = tucker.load("runs/complex" if name == "Run.largest_difference" else "runs/world")
    names = {"tucker": tucker, "run": run, "graph": run.graph}
    for example in examples:
        assert not example.want, "an example gives nothing back here"
        if not any(text in example.source for text in ELSEWHERE):
            exec(compile(example.source, name, "single"), names)


def test_what_is_short_names_what_has_an_example():
    for name in SHORT:
        assert inspect.getdoc(getattr(tucker.Run, name))
