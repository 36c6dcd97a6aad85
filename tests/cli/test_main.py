from __future__ import annotations

import re
from importlib import metadata

import pytest
import typer

from tests.cli.running import process, tucker
from tucker.cli.main import app


def commands(group, *path):
    """Give the words and the object of every command."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *path, name)
        else:
            yield (*path, name), command


COMMANDS = dict(commands(typer.main.get_command(app)))


def test_the_installed_script_says_its_version():
    result = process("--version")
    assert (result.code, result.out, result.err) == (
        0,
        f"tucker {metadata.version('tucker')}\n",
        "",
    )


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_names_every_command(option):
    result = tucker(option)
    assert (result.code, result.err) == (0, "")
    for command, *_ in COMMANDS:
        assert re.search(rf"^│ {command} ", result.out, re.MULTILINE)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_and_its_options(words):
    result = tucker(*words, "-h")
    assert (result.code, result.err) == (0, "")
    command = COMMANDS[words]
    assert command.help
    for parameter in command.params:
        if parameter.opts[0].startswith("-") and not parameter.hidden:
            assert parameter.opts[0] in result.out
            assert parameter.help, f"{words} {parameter.opts} is not explained"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_takes_json(words):
    assert "--json" in [option for parameter in COMMANDS[words].params for option in parameter.opts]


@pytest.mark.parametrize(
    "words",
    [
        ["bogus"],
        ["train", "--bogus"],
        ["train", "--seed", "-1"],
        ["train", "--evaluate", "train"],
        ["graph"],
        ["graph", "bogus"],
        ["graph", "stats"],
        ["graph", "split", "facts.tsv"],
        ["evaluate"],
        ["evaluate", "run", "--split", "all"],
        ["evaluate", "run", "--ties", "lucky"],
        ["evaluate", "run", "--by", "entity"],
        ["predict", "run", "--subject", "p0", "--relation", "knows", "-k", "0"],
        ["predict", "run", "--subject", "p0", "--relation", "knows", "-k", "many"],
        ["predict", "run"],
        ["predict", "run", "--subject", "p0"],
        ["predict", "run", "--relation", "knows"],
        ["predict", "run", "--object", "p0"],
        ["predict", "run", "--subject", "p0", "--relation", "knows", "--object", "p1"],
        ["datasets", "fetch"],
        ["models", "tucker"],
        ["inspect"],
        ["convert"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_2_and_says_so(words):
    result = tucker(*words)
    assert result.code == 2
    assert "Usage: " in result.out + result.err
    assert "Traceback" not in result.err


def test_a_question_with_too_few_parts_says_what_it_needs():
    result = tucker("predict", "run", "--subject", "p0")
    assert result.out == ""
    assert "give two of --subject, --relation and --object" in result.err


def test_no_command_shows_the_help():
    result = tucker()
    assert result.code == 2
    assert "Find the missing facts of a knowledge graph." in result.out
