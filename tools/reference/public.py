"""What is public in Python: functions, classes, their methods, and what all of these give."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from functools import cached_property
from types import FunctionType, UnionType
from typing import Any

import tucker

PROPERTIES = (property, cached_property)
_ANSWERS = tuple(  # but not how a run is kept
    f"tucker.{room}" for room in ("evaluation", "graph", "pipeline", "prediction", "reproduction")
)


def public_functions() -> dict[str, Callable[..., Any]]:
    """Return the functions that `import tucker` gives, by name."""
    found = {name: getattr(tucker, name) for name in tucker.__all__}
    return {name: one for name, one in found.items() if inspect.isfunction(one)}


def public_classes() -> list[type]:
    """Return the classes that `import tucker` gives, errors left out."""
    found = [getattr(tucker, name) for name in tucker.__all__]
    return [one for one in found if inspect.isclass(one) and not issubclass(one, Exception)]


def public_methods(kind: type) -> dict[str, Any]:
    """Return the methods and properties of a class that are documented, by name."""
    return {
        name: value
        for name, value in vars(kind).items()
        if not name.startswith("_")
        and isinstance(value, (*PROPERTIES, staticmethod, classmethod, FunctionType))
    }


def answers() -> Iterator[type]:
    """Yield the data classes that public methods and functions give, and what these hold."""
    seen, todo = set(public_classes()), public_classes()
    given = [_returned(function) for function in public_functions().values()]
    while todo or given:
        found = [*_named_by(todo.pop(0))] if todo else [*_inside(given.pop(0))]
        for one in found:
            if one not in seen:
                seen.add(one)
                todo.append(one)
                yield one


def _named_by(kind: type) -> Iterator[type]:
    """Yield Tucker's own data classes in the types that a class gives."""
    hints = [_hints(kind)] if is_dataclass(kind) else []
    methods = public_methods(kind).values()
    for hint in [*hints, *({"return": _returned(plain(value))} for value in methods)]:
        for one in hint.values():
            yield from _inside(one)


def _returned(function: Callable[..., Any]) -> Any:
    return _hints(function).get("return")


def _hints(one: Any) -> dict[str, Any]:
    """Return the types that something names; those that only type checkers import are any."""
    unknown: dict[str, Any] = {}
    while True:
        try:
            return typing.get_type_hints(one, localns=dict(unknown))
        except NameError as error:
            unknown[error.name] = Any


def _inside(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint) and hint.__module__.startswith(_ANSWERS) and is_dataclass(hint):
        yield hint
    for argument in typing.get_args(hint):
        yield from _inside(argument)


def plain(value: Any) -> Callable[..., Any]:
    """Return the function of a method or property."""
    found: Callable[..., Any] = getattr(value, "fget", getattr(value, "func", value))
    return getattr(found, "__func__", found)


def aliases() -> dict[str, Any]:
    """Return the short names that signatures have for types, with what they stand for."""
    methods = [one for kind in public_classes() for one in public_methods(kind).values()]
    functions = [*public_functions().values(), *map(plain, methods)]
    found = {
        name: function.__globals__[name]
        for function in functions
        for annotation in function.__annotations__.values()
        for name in re.findall(r"(?<![.\w])[A-Z]\w+", annotation)
        if name in function.__globals__ and name not in vars(typing)
    }
    kinds = (typing.Literal, typing.Union, UnionType)
    return {name: found[name] for name in sorted(found) if typing.get_origin(found[name]) in kinds}


def comments(kind: type) -> dict[str, str]:
    """Return the comments behind the fields of a class, as sentences."""
    found = re.findall(r"^    (\w+): [^#\n]+# (.+)$", inspect.getsource(kind), re.MULTILINE)
    return {name: text[0].upper() + text[1:].removesuffix(".") + "." for name, text in found}
