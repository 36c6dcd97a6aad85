"""The page of the public Python names, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from types import FunctionType
from typing import Any

import tucker
from tools.reference.markdown import block, code, table
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
ERRORS = """## Errors

Every error that Tucker raises on purpose is a `tucker.TuckerError`. The others are in
`tucker.errors`; [Errors](errors.md) says what to do about them.
"""
_WIDTH = 88
_PROPERTIES = (property, cached_property)
_ANSWERS = ("tucker.evaluation", "tucker.graph", "tucker.prediction")  # not how a run is kept


def page() -> str:
    """Return the page."""
    public = {name: getattr(tucker, name) for name in tucker.__all__}
    functions = {name: one for name, one in public.items() if inspect.isfunction(one)}
    classes = [one for one in public.values() if inspect.isclass(one) and not _is_error(one)]
    answers = list(_answers(classes))
    return "\n".join(
        [
            INTRO.format(example=block("python", EXAMPLE)),
            *(_function(f"tucker.{name}", one, "##") for name, one in functions.items()),
            *(_class(one, "##") for one in classes),
            ANSWERS,
            *(f"### {one.__name__}\n\n{_doc(one)}\n{_fields(one)}" for one in answers),
            ERRORS,
            table(["error", "is a", "when"], _errors()),
        ]
    )


def public_methods(kind: type) -> dict[str, Any]:
    """Return the methods and properties of a class that are documented, by name."""
    return {
        name: value
        for name, value in vars(kind).items()
        if not name.startswith("_")
        and isinstance(value, (*_PROPERTIES, staticmethod, classmethod, FunctionType))
    }


def _is_error(kind: type) -> bool:
    return issubclass(kind, Exception)


def _answers(classes: list[type]) -> Iterator[type]:
    """Yield the data classes that public methods give, and what these hold, each once."""
    seen, todo = set(classes), list(classes)
    while todo:
        for one in _named_by(todo.pop(0)):
            if one not in seen:
                seen.add(one)
                todo.append(one)
                yield one


def _named_by(kind: type) -> Iterator[type]:
    """Yield Tucker's own data classes in the types that a class gives."""
    names = {"Ids": tucker.graph.Ids}  # which the module of a class may know to type checkers alone
    hints = [typing.get_type_hints(kind, localns=names)] if is_dataclass(kind) else []
    for value in public_methods(kind).values():
        function = _plain(value)
        hints.append({"return": typing.get_type_hints(function).get("return")})
    for hint in hints:
        for one in hint.values():
            yield from _inside(one)


def _inside(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint) and hint.__module__.startswith(_ANSWERS) and is_dataclass(hint):
        yield hint
    for argument in typing.get_args(hint):
        yield from _inside(argument)


def _plain(value: Any) -> Callable[..., Any]:
    """Return the function of a method or property."""
    found: Callable[..., Any] = getattr(value, "fget", getattr(value, "func", value))
    return getattr(found, "__func__", found)


def _class(kind: type, level: str) -> str:
    methods = {
        f"{kind.__name__}.{name}": _plain(one)
        for name, one in public_methods(kind).items()
        if not isinstance(one, _PROPERTIES)
    }
    written = [_function(name, one, level + "#", bound=True) for name, one in methods.items()]
    return "\n".join([f"{level} {kind.__name__}\n", _doc(kind), _fields(kind), *written])


def _fields(kind: type) -> str:
    """Return the table of what an object holds, its properties last."""
    notes = _comments(kind)
    rows = [
        [one.name, _short(one.type), notes.get(one.name, "")]
        for one in (fields(kind) if is_dataclass(kind) else ())
    ]
    for name, one in public_methods(kind).items():
        if isinstance(one, _PROPERTIES):
            rows.append([name, _short(_plain(one).__annotations__["return"]), _doc(one)])
    shown = [[code(name), code(of), note] for name, of, note in rows if not name.startswith("_")]
    return table(["field", "type", "what it is"], shown)


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
    return text or str(annotation)


def _doc(one: object) -> str:
    """Return a docstring as Markdown."""
    return (inspect.getdoc(one) or "") + "\n"


def _comments(kind: type) -> dict[str, str]:
    """Return the comments behind the fields of a class."""
    found = re.findall(r"^    (\w+): [^#\n]+# (.+)$", inspect.getsource(kind), re.MULTILINE)
    return dict(found)


def _errors() -> Iterator[list[str]]:
    """Yield each error with the one that it is a kind of, and when it is raised."""
    for name, one in vars(errors).items():
        if inspect.isclass(one) and one.__module__ == errors.__name__:
            (base,) = one.__bases__
            yield [code(name), code(base.__name__), _doc(one)]
