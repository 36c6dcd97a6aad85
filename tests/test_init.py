"""What `import tucker` gives, and what it does not wait for."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import tucker
from tests.cli.running import environment
from tucker import api


def python(*words):
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=environment(), check=False
    )


def loaded(code, *words):
    """Return the modules that Python has after some code, in a process of its own."""
    code += "\nprint('\\n' + ' '.join(sys.modules))"
    done = python("-c", "import sys\n" + code, *words)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_the_public_names_are_there_and_explained():
    assert dir(tucker) == sorted([*tucker.__all__, "__version__"])
    for name in tucker.__all__:
        assert inspect.getdoc(getattr(tucker, name)), f"{name} is not explained"
    assert {name for name in tucker.__all__ if name != "TuckerError"} <= set(api.__all__)
    assert tucker.train is api.train
    assert tucker.__version__ == metadata.version("tucker")


def test_names_are_listed_without_waiting_for_anything():
    code = "import tucker\nassert set(tucker.__all__) <= set(dir(tucker))"
    assert not {"torch", "polars", "numpy"} & loaded(code)


def test_a_graph_does_not_need_torch():
    code = "import tucker\nassert len(tucker.load_graph('world').train) > 1000"
    assert "torch" not in loaded(code)
    assert "torch" in loaded(code + "\ntucker.train")


def test_the_room_of_graphs_is_there_as_well():
    assert "torch" not in loaded("import tucker\ntucker.graph.read_facts")


def test_a_name_that_is_not_there_is_told_the_nearest():
    with pytest.raises(AttributeError, match=r"no attribute 'trian'; did you mean train\?"):
        tucker.trian  # noqa: B018


SCRIPT = """
from pathlib import Path

import tucker
from tucker.api import Explanation, Prediction

graph: tucker.Graph = tucker.load_graph("facts.tsv")
run: tucker.Run = tucker.train(graph, epochs=30, d_e=100, out=Path("runs/facts"))
again: tucker.Run = tucker.train("fast/wn18rr", set={"training.epochs": 5}, out=True)
further: tucker.Run = tucker.resume("runs/facts").continue_with("more.tsv", epochs=5)
found: list[Prediction] = tucker.load("runs/facts").discover(k=5)
why: Explanation = run.explain("Norway", "borders", "Sweden")
mrr: float = run.evaluate("test").mrr
counts: dict[str, object] = tucker.graph_stats(graph)
names: list[str] = [model.name for model in tucker.list_models([graph])]
try:
    tucker.reproduce("table3", seeds=[0])
except tucker.TuckerError as error:
    print(error)
"""
FAULTY = """
import tucker

tucker.trian("facts.tsv")
count: int = tucker.load("runs/facts")
tucker.load("runs/facts").evaluate("tset")
"""


def test_a_type_checker_knows_every_name(tmp_path, request):
    pytest.importorskip("mypy")
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "faulty.py").write_text(FAULTY)
    (tmp_path / "mypy.ini").write_text("[mypy]\nfollow_imports = silent\n")  # as if installed
    cache = request.config.cache.mkdir("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "script.py", "faulty.py"],
        cwd=tmp_path,
        env=environment() | {"MYPYPATH": str(Path(tucker.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    faults = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [line.split(":")[:2] for line in faults] == [["faulty.py", n] for n in ("4", "5", "6")]
    assert 'Module has no attribute "trian"' in faults[0]


@pytest.mark.parametrize(
    "words",
    [["--version"], ["--help"], ["models", "--help"], ["train", "-h"], ["graph", "stats", "world"]],
)
def test_commands_without_a_model_do_not_wait_for_torch(words):
    code = (
        "from tucker.cli.main import run\nsys.argv[0] = 'tucker'\n"
        "try:\n    run()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
    )
    assert "torch" not in loaded(code, *words)
