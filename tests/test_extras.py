from __future__ import annotations

import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tucker.errors import ExtraError
from tucker.extras import EXTRAS, require

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
OTHERS = {"all", "dev", "docs"}  # no command waits for their packages


def test_every_extra_that_a_part_needs_is_declared():
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"]) - OTHERS


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_packages_of_an_extra_are_those_that_installing_it_brings(extra):
    brought = " ".join(PROJECT["optional-dependencies"][extra])
    for package in EXTRAS[extra].packages:
        (distribution,) = set(packages_distributions()[package])
        assert distribution in brought


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_installed_may_be_used(extra):
    require(extra)


@pytest.mark.parametrize(
    ("extra", "package"), [(name, p) for name, extra in EXTRAS.items() for p in extra.packages]
)
def test_what_is_missing_is_named_with_the_extra_that_brings_it(monkeypatch, extra, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExtraError) as caught:
        require(extra)
    assert str(caught.value) == (
        f"{EXTRAS[extra].what} needs {package}, which is not installed: "
        f"pip install 'tucker[{extra}]'"
    )


def test_a_package_that_an_extra_leans_on_is_named_too(monkeypatch, tmp_path):
    (tmp_path / "sklearn.py").write_text("import joblob\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "sklearn", raising=False)
    with pytest.raises(ExtraError, match="calibration needs joblob, which is not installed"):
        require("calibration")


def test_a_fault_in_a_package_is_not_called_a_missing_package(monkeypatch, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise RuntimeError('broken')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)
    with pytest.raises(RuntimeError, match="broken"):
        require("plots")
