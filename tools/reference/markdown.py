"""What the writers of the pages share: tables, code, and the words for a type."""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

_WORDS = {int: "whole number", float: "number", str: "text", bool: "true or false"}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of Markdown."""
    lines = [head, ["---"] * len(head), *([cell(text) for text in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def cell(text: str) -> str:
    """Return text that ends no cell: one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def code(value: object) -> str:
    """Return a value as code."""
    return f"`{value}`"


def block(language: str, text: str) -> str:
    """Return lines of code."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def type_words(kind: Any) -> str:
    """Say a type in words, such as "whole number" or "`a` or `b`"."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return type_words(arguments[0])
    if origin is Literal:
        return " or ".join(code(one) for one in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(type_words(one) for one in arguments if one is not types.NoneType)
    if dict in (origin, kind) or (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return "keys and values"
    if origin is list:
        return f"list of {type_words(arguments[0])}"
    return _WORDS.get(kind, getattr(kind, "__name__", str(kind)))


def value_words(value: object) -> str:
    """Say a default as a recipe or a command line has it."""
    if isinstance(value, bool):
        return code(str(value).lower())
    return "" if value is None or value == "" else code(value)
