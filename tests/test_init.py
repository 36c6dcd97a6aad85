"""What `import tucker` gives, and what it does not wait for."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import metadata

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
