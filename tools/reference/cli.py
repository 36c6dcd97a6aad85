"""The page of all commands, from the functions that Typer makes them of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer
from typer.models import ArgumentInfo, OptionInfo
from typer.utils import get_params_from_function

from tools.reference.markdown import block, code, table, value_words
from tucker.cli.main import app

Info = ArgumentInfo | OptionInfo

INTRO = """# Commands

Every command says the same in the terminal, as in `tucker train --help`. `tucker --version` shows
the version, and `tucker --install-completion` lets the shell complete commands and options.

Data go to stdout; progress, notes and errors go to stderr. With `--json` a command prints
[JSON](json.md) for programs. The exit code is 0 when the command is done, 1 when the request cannot
be met (one sentence on stderr says why), and 2 when the command line is wrong. The variable
`NO_COLOR` turns colours off.
"""
_PLACES = {int: "N", float: "X", str: "TEXT", Path: "PATH"}


def page() -> str:
    """Return the page."""
    commands = list(walk(app, "tucker"))
    head = ["command", "what it does"]
    links = [f"[`{name}`](#{name.replace(' ', '-')})" for name, _ in commands]
    first = [summary(function) for _, function in commands]
    overview = table(head, zip(links, first, strict=True))
    return "\n".join([INTRO, overview, *(_command(*command) for command in commands)])


def walk(group: typer.Typer, words: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the words that call each command, and its function."""
    for command in group.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__.replace("_", "-")
        yield f"{words} {name}", command.callback
    for below in group.registered_groups:
        assert below.typer_instance is not None
        yield from walk(below.typer_instance, f"{words} {below.name}")


def summary(function: Callable[..., Any]) -> str:
    """Return the first sentence of a docstring."""
    return inspect.getdoc(function).split("\n\n")[0].replace("\n", " ")  # type: ignore[union-attr]


def _command(name: str, function: Callable[..., Any]) -> str:
    found = list(_parameters(function))
    arguments = [one for one in found if isinstance(one[1], ArgumentInfo)]
    options = [one for one in found if isinstance(one[1], OptionInfo) and not one[1].hidden]
    usage = " ".join([name, *(_argument(*one) for one in arguments), "[OPTIONS]"])
    parts = [f"## {name}\n", (inspect.getdoc(function) or "") + "\n", block("text", usage)]
    if arguments:
        rows = [[code(_argument(*one)), one[1].help or ""] for one in arguments]
        parts.append(table(["argument", "what it is"], rows))
    if options:
        rows = [[_option(*one), _default(*one), _help(*one)] for one in options]
        parts.append(table(["option", "default", "what it does"], rows))
    return "\n".join(parts)


def _parameters(function: Callable[..., Any]) -> Iterator[tuple[str, Info, Any]]:
    """Yield the name of each parameter of a command, what Typer is told of it, and its type."""
    for name, parameter in get_params_from_function(function).items():
        kind = parameter.annotation
        some = [one for one in get_args(kind) if one is not type(None)]
        optional = type(None) in get_args(kind)
        yield name, parameter.default, some[0] if optional else kind


def _argument(name: str, info: Info, kind: Any) -> str:
    return info.metavar or _place(kind, name.upper())


def _option(name: str, info: Info, kind: Any) -> str:
    plain = name.replace("_", "-")
    names = list(info.param_decls or [f"--{plain}" if len(plain) > 1 else f"-{plain}"])
    if kind is bool:
        given = names if info.param_decls else [*names, f"--no-{plain}"]
        return " / ".join(code(one) for name in given for one in name.split("/"))
    return ", ".join(code(f"{one} {info.metavar or _place(kind, 'TEXT')}") for one in names)


def _place(kind: Any, other: str) -> str:
    """Return what stands for a value: its choices, or a word in capitals."""
    if get_origin(kind) is Literal:
        return "|".join(map(str, get_args(kind)))
    return _PLACES.get(kind, other)


def _default(name: str, info: Info, kind: Any) -> str:
    if info.default is ...:
        return "required"
    return "" if info.default is False else value_words(info.default)


def _help(name: str, info: Info, kind: Any) -> str:
    more = [info.help or ""]
    if info.min is not None or info.max is not None:
        more.append(_range(info.min, info.max))
    if get_origin(kind) is list and "repeatable" not in more[0]:
        more.append("It may be given several times.")
    if info.envvar:
        more.append(f"The variable {info.envvar} says it as well.")
    return " ".join(more)


def _range(least: float | None, most: float | None) -> str:
    if most is None:
        return f"At least {least}."
    return f"At most {most}." if least is None else f"From {least} to {most}."
