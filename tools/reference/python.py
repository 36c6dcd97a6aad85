"""The page of the public Python names, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from types import FunctionType, NoneType, UnionType
from typing import Any

from pydantic import BaseModel

import tucker
from tools.reference.markdown import block, code, table
from tools.reference.public import (
    PROPERTIES,
    aliases,
    answers,
    comments,
    plain,
    public_classes,
    public_functions,
    public_methods,
)
from tucker import errors

INTRO = """# Python

`import tucker` gives these names. All of them have types. Torch is loaded when a model is needed,
not before.

{example}
"""
EXAMPLE = """import tucker

graph = tucker.load_graph("facts.tsv")
run = tucker.train(graph, out="runs/mine")
run.evaluate("valid").mrr
run.predict(subject="Norway", relation="borders", k=5)
"""
ANSWERS = """## What comes back

Methods return plain objects with these fields. `as_dict()` gives the form that
[`--json`](json.md) prints.
"""
TYPES = """## Types

Short names for types in the signatures above.
"""
ERRORS = """## Errors

Every error that Tucker raises on purpose is a `tucker.TuckerError`. The others are in
`tucker.errors`; [Errors](errors.md) says what to do about them.
"""
FIRST = ("load_graph", "train", "load", "resume")
_WIDTH = 88


def page() -> str:
    """Return the page."""
    functions = public_functions()
    classes = sorted(public_classes(), key=lambda one: one is not tucker.Run)
    return "\n".join(
        [
            INTRO.format(example=block("python", EXAMPLE)),
            *(_function(f"tucker.{name}", functions.pop(name), "##") for name in FIRST),
            *(_class(one, "##") for one in classes),
            "## More functions\n",
            *(_function(f"tucker.{name}", one, "###") for name, one in functions.items()),
            ANSWERS,
            *(f"### {one.__name__}\n\n{_doc(one)}\n{_fields(one)}" for one in answers()),
            TYPES,
            table(
                ["type", "is"],
                ([code(name), code(_alias(kind))] for name, kind in aliases().items()),
            ),
            ERRORS,
            table(["error", "is a", "when"], _errors()),
        ]
    )


def _class(kind: type, level: str) -> str:
    methods = {
        f"{kind.__name__}.{name}": plain(one)
        for name, one in public_methods(kind).items()
        if not isinstance(one, PROPERTIES)
    }
    written = [_function(name, one, level + "#", bound=True) for name, one in methods.items()]
    return "\n".join([f"{level} {kind.__name__}\n", _doc(kind), _fields(kind), *written])


def _fields(kind: type) -> str:
    """Return the table of what an object holds, its properties last."""
    notes = comments(kind)
    rows = [
        [one.name, _short(one.type), notes.get(one.name, "")]
        for one in (fields(kind) if is_dataclass(kind) else ())
    ]
    for name, one in public_methods(kind).items():
        if isinstance(one, PROPERTIES):
            rows.append([name, _short(plain(one).__annotations__["return"]), _doc(one)])
    shown = [[code(name), code(of), note] for name, of, note in rows if not name.startswith("_")]
    if issubclass(kind, BaseModel):
        return "Its fields are the keys of a recipe: [Settings](settings.md).\n"
    return table(["field", "type", "what it is"], shown) if shown else ""


def _function(name: str, function: Callable[..., Any], level: str, *, bound: bool = False) -> str:
    signature = inspect.signature(function)
    shown = list(signature.parameters.values())[int(bound) :]
    whole = signature.replace(parameters=shown)
    return "\n".join([f"{level} {name}\n", block("python", _written(name, whole)), _doc(function)])


def _written(name: str, signature: inspect.Signature) -> str:
    """Return a signature on one line, or a parameter a line where it is long."""
    parts, keywords = [], False
    for one in signature.parameters.values():
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not keywords:
            parts.append("*")
        keywords = keywords or one.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD
        parts.append(_parameter(one))
    end = f") -> {_short(signature.return_annotation)}"
    line = f"{name}({', '.join(parts)}{end}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), end])


def _parameter(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    text = f"{stars}{one.name}: {_short(one.annotation)}"
    if one.default is one.empty:
        return text
    default = "..." if isinstance(one.default, FunctionType) else repr(one.default)
    return f"{text} = " + default.replace("'", '"')


def _short(annotation: object) -> str:
    """Return a type as the code has it."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return (text or str(annotation)).replace("'", '"')


def _doc(one: object) -> str:
    """Return a docstring as Markdown, its examples as code."""
    paragraphs = (inspect.getdoc(one) or "").split("\n\n")
    return "\n\n".join(_example(one) if one.startswith(">>>") else one for one in paragraphs) + "\n"


def _example(text: str) -> str:
    """Return an example as code to copy, what it prints as a comment."""
    lines = [
        line[4:] if line.startswith((">>>", "...")) else f"# {line}" for line in text.split("\n")
    ]
    return block("python", "\n".join(lines)).rstrip()


def _alias(kind: Any) -> str:
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is typing.Literal:
        return " | ".join(
            json.dumps(one) if isinstance(one, str) else str(one) for one in arguments
        )
    if arguments and typing.get_origin(kind) in (typing.Union, UnionType):
        return " | ".join(map(_alias, arguments))
    text = "None" if kind is NoneType else str(kind) if arguments else kind.__name__
    return re.sub(r"\b(?:[a-z_]+\.)+", "", text)


def _errors() -> Iterator[list[str]]:
    """Yield each error with the one that it is a kind of, and when it is raised."""
    for name, one in vars(errors).items():
        if inspect.isclass(one) and one.__module__ == errors.__name__:
            (base,) = one.__bases__
            yield [code(name), code(base.__name__), _doc(one)]
