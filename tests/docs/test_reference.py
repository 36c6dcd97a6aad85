"""The generated pages of the manual are those of today's code, and leave nothing out."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass

import pytest
import typer

import tucker
from tests.prediction.conftest import calibrated_run
from tests.test_readme import every_option
from tools.reference.__main__ import DOCS, pages
from tools.reference.cli import walk
from tools.reference.http import description
from tools.reference.public import answers, comments, public_classes
from tools.reference.settings import rows
from tucker.cli.main import app
from tucker.mixture import TRAINED
from tucker.models.setting_help import MODEL_SETTINGS
from tucker.pipeline.recipe import Beside, Recipe, fields_of_model
from tucker.reasoning.pathnet import PATHNET_SETTINGS
from tucker.serving.app import create_app
from tucker.training import RulesSettings, TrainingSettings

PAGES = dict(pages())


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_that_of_the_code(name):
    """`make reference` mends it."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]


def every_command(command, words="tucker"):
    """Yield each command that can be called, with its words, as Typer runs it."""
    below = getattr(command, "commands", None)
    if below is None:
        yield words, command
    for name, one in (below or {}).items():
        yield from every_command(one, f"{words} {name}")


def test_every_command_and_option_is_on_the_page():
    text = PAGES["reference/cli.md"]
    commands = dict(every_command(typer.main.get_command(app)))
    assert set(commands) == {name for name, _ in walk(app, "tucker")}
    for name, command in commands.items():
        section = re.search(rf"^## {name}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", section[0]))
        shown = {name for one in command.params if not one.hidden for name in one.opts}
        assert {name for name in shown if name.startswith("-")} <= named, name
    assert "--version" in text
    assert "--version" in every_option(typer.main.get_command(app))


def test_every_option_says_what_it_does():
    for name, command in every_command(typer.main.get_command(app)):
        assert command.help, name
        for parameter in command.params:
            assert parameter.help, (name, parameter.name)


@pytest.mark.parametrize(
    ("section", "prefix"),
    [
        (Recipe, ""),
        (TrainingSettings, "training."),
        (RulesSettings, "rules."),
        (Beside, "beside."),
    ],
)
def test_every_setting_is_on_the_page_with_a_sentence(section, prefix):
    for name, row in zip(section.model_fields, rows(section, prefix), strict=True):
        assert f"| `{prefix}{name}` |" in PAGES["reference/settings.md"]
        assert re.fullmatch(r"\S.*\.", row[-1]), f"{prefix}{name}: {row[-1]}"


@pytest.mark.parametrize("model", TRAINED)
def test_every_setting_of_a_model_has_a_sentence(model):
    for name in fields_of_model(model):
        assert re.fullmatch(r"\S.*\.", (MODEL_SETTINGS | PATHNET_SETTINGS)[name])
        assert f"| `model.{name}` |" in PAGES["reference/settings.md"]


def test_no_sentence_is_left_of_a_setting_that_went():
    assert set(MODEL_SETTINGS | PATHNET_SETTINGS) == {
        name for model in TRAINED for name in fields_of_model(model)
    }


def test_every_public_name_is_on_the_page_with_a_docstring():
    text = PAGES["reference/python.md"]
    for name in tucker.__all__:
        one = getattr(tucker, name)
        assert inspect.getdoc(one), name
        assert re.search(rf"^##+ (tucker\.)?{name}$|^\| `{name}` ", text, re.MULTILINE), name


@pytest.mark.parametrize("kind", [tucker.Run, tucker.Graph])
def test_every_public_method_is_on_the_page_with_a_docstring(kind):
    for name in (name for name in dir(kind) if not name.startswith("_")):
        assert inspect.getdoc(getattr(kind, name)), name
        text = PAGES["reference/python.md"]
        assert f"\n### {kind.__name__}.{name}\n" in text or f"| `{name}` |" in text


def test_every_field_of_what_comes_back_says_what_it_is():
    classes = public_classes()
    for kind in filter(is_dataclass, [*classes, *answers()]):
        assert inspect.getdoc(kind), kind
        shown = {field.name for field in fields(kind) if not field.name.startswith("_")}
        assert shown - set(comments(kind)) == set(), kind


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """What a server says of itself."""
    return create_app(
        calibrated_run(), decisions=tmp_path_factory.mktemp("kept") / "decisions.sqlite"
    ).openapi()


def test_every_endpoint_that_a_server_has_is_on_the_page(served):
    assert served["paths"] == description()["paths"]
    for path, methods in served["paths"].items():
        for method, route in methods.items():
            assert f"\n### {method.upper()} {path}\n" in PAGES["reference/http.md"]
            assert route["description"]


def test_every_parameter_and_field_of_the_http_interface_says_what_it_is(served):
    for methods in served["paths"].values():
        for route in methods.values():
            for parameter in route.get("parameters", []):
                assert parameter.get("description"), parameter
    for name, schema in served["components"]["schemas"].items():
        for field, one in schema.get("properties", {}).items():
            assert one.get("description"), f"{name}.{field}"
