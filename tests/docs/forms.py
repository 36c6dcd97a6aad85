"""The tables of docs/reference/json.md, read as rules that a value must keep."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_HEADING = re.compile(r"^#{2,3} ([^\n]+)\n(.*?)(?=^#{1,3} |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^]]+)\]\(#[\w-]+\)")
_LEAVES = {
    "text": str,
    "texts": str,
    "number": (int, float),
    "numbers": (int, float),
    "integer": int,
    "integers": int,
    "true or false": bool,
    "object": dict,
    "objects": dict,
}


@dataclass
class Form:
    """The keys of an object, and what each holds; or the name of what a key holds."""

    kind: str = "object of keys"
    sometimes: bool = False
    keys: dict[str, Form] = field(default_factory=dict)
    listed: bool = False
    open: bool = False  # whether it may have keys that are not named


@dataclass(frozen=True)
class Page:
    """The forms of a page by heading; `prints` says which headings are of lists."""

    forms: dict[str, Form]
    listed: dict[str, bool]


def read_page(text: str) -> Page:
    """Read every table of the page."""
    parts = dict(_HEADING.findall(text))
    tables = {name: body for name, body in parts.items() if "| key |" in body}
    listed = {name: "Prints a list" in body for name, body in tables.items() if "Prints a" in body}
    rows = {name: _ROW.findall(body)[1:] for name, body in tables.items()}
    return Page({name: _form(name, rows) for name in rows}, listed)


def _form(name: str, tables: dict[str, list[tuple[str, str, str]]]) -> Form:
    form = Form()
    for key, kind, meaning in tables[name]:
        path = re.findall(r"`([^`]+)`", key)
        at = _at(form, path[0]) if path else form
        if key.endswith("…"):
            for other in _LINK.findall(kind):
                at.keys |= _form(other, tables).keys
            at.open |= not _LINK.findall(kind)
        else:
            at.kind, at.sometimes = kind, meaning.startswith("*Only*")
    return form


def _at(form: Form, path: str) -> Form:
    for part in path.split("."):
        form = form.keys.setdefault(part.removesuffix("[]"), Form())
        form.listed |= part.endswith("[]")
    return form


def check(page: Page, name: str, value: Any) -> set[str]:
    """Compare what a command printed with its form; return the keys that were there."""
    form = page.forms[name]
    values = value if page.listed[name] else [value]
    assert isinstance(value, list) == page.listed[name], name
    return {key for one in values for key in _check(page, form, one, name)}


def _check(page: Page, form: Form, value: Any, where: str) -> set[str]:
    if form.kind != "object of keys":
        _check_kind(page, form.kind, value, where)
        return set()
    assert isinstance(value, dict), where
    if form.open:
        value = {key: value[key] for key in form.keys.keys() & value.keys()}
    assert value.keys() <= form.keys.keys(), (where, value.keys() - form.keys.keys())
    always = {key for key, one in form.keys.items() if not one.sometimes}
    assert always <= value.keys(), (where, always - value.keys())
    seen = set()
    for key, one in value.items():
        below = form.keys[key]
        seen.add(key)
        for item in one if below.listed else [one]:
            seen |= {f"{key}.{more}" for more in _check(page, below, item, f"{where}: {key}")}
    return seen


def _check_kind(page: Page, kind: str, value: Any, where: str) -> None:
    if kind.endswith(" or null"):
        if value is None:
            return
        kind = kind.removesuffix(" or null")
    for gathered, type_ in (("list of ", list), ("map of ", dict)):
        if kind.startswith(gathered):
            assert isinstance(value, type_), (where, kind, value)
            items = value.values() if isinstance(value, dict) else value
            inner = kind.removeprefix(gathered)
            for item in items:
                _check_kind(page, inner.replace("lists of", "list of"), item, where)
            return
    if links := _LINK.findall(kind):
        _check(page, page.forms[links[0]], value, where)
        return
    assert kind in _LEAVES, (where, kind)
    assert isinstance(value, _LEAVES[kind]), (where, kind, value)
    assert isinstance(value, bool) == (kind == "true or false"), (where, kind, value)


def every_key(form: Form) -> set[str]:
    """Return the keys that a form names, with those of the objects below them."""
    below = {f"{key}.{more}" for key, one in form.keys.items() for more in every_key(one)}
    return form.keys.keys() | below
