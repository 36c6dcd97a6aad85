"""The page of the HTTP interface, from the OpenAPI description that the server gives of itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from tools.reference.markdown import block, code, table
from tucker.serving.routes import ask, decide, lookup

Schema = dict[str, Any]

INTRO = """# HTTP

`tucker serve RUN` answers these requests; [Serve and review](../do/serve-and-review.md) says how to
start it, and who is let in. The server gives the same description as OpenAPI under `/openapi.json`.

Bodies and answers are JSON. Names may be given by their labels.

{refusals}
A refusal is a [Problem](#problem).
"""
_NO_BOUND = 1e9  # such large numbers are what fits, and say nothing
_PARTS = {"ask": "Ask", "look up": "Look things up", "decide": "Decide"}


def description() -> Schema:
    """Return the OpenAPI description of all routes."""
    app = FastAPI()
    for part in (ask, lookup, decide):
        app.include_router(part.router)
    return app.openapi()


def page() -> str:
    """Return the page."""
    api = description()
    schemas: dict[str, Schema] = api["components"]["schemas"]
    routes = list(_routes(api))
    common = set.intersection(*(set(_refusals(route)) for _, _, route in routes))
    every = _refusals(routes[0][2])
    rows = [[code(status), every[status]] for status in sorted(common)]
    parts = [INTRO.format(refusals=table(["status", "any request may be refused"], rows))]
    for tag, title in _PARTS.items():
        parts.append(f"## {title}\n")
        parts += [_route(*one, common, schemas) for one in routes if one[2]["tags"] == [tag]]
    parts.append("## Objects\n")
    answered = _answered(routes, schemas)
    parts += [_schema(name, schemas[name]) for name in answered]
    return "\n".join(parts)


def _routes(api: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Yield method, path and description of each route."""
    for path, methods in api["paths"].items():
        for method, route in methods.items():
            yield method.upper(), path, route


def _refusals(route: Schema) -> dict[str, str]:
    found = route["responses"].items()
    return {status: one["description"] for status, one in found if status >= "4"}


def _route(
    method: str, path: str, route: Schema, common: set[str], schemas: dict[str, Schema]
) -> str:
    parts = [f"### {method} {path}\n", route["description"] + "\n"]
    if "requestBody" in route:
        body = schemas[_name(_content(route["requestBody"]))]
        parts.append(_fields(body))
        parts += [block("json", json.dumps(one)) for one in body.get("examples", [])]
    if "parameters" in route:
        rows = [_parameter(one) for one in route["parameters"]]
        parts.append(table(["parameter", "type", "default", "what it is"], rows))
    rows = [
        [code(status), _answer(status, one)]
        for status, one in sorted(route["responses"].items())
        if status not in common
    ]
    return "\n".join([*parts, table(["status", "answer"], rows)])


def _parameter(one: Schema) -> list[str]:
    return [
        code(one["name"]),
        _type(one["schema"]),
        _default(one["schema"], required=one["required"]),
        one.get("description", ""),
    ]


def _answer(status: str, response: Schema) -> str:
    if status >= "4":
        return str(response["description"])
    content = response["content"]
    if "application/json" not in content:
        return " or ".join(content)
    about = "" if status in ("200", "201") else f". {response['description']}"
    return _type(_content(response)) + about


def _content(holder: Schema) -> Schema:
    schema: Schema = holder["content"]["application/json"]["schema"]
    return schema


def _answered(routes: list[tuple[str, str, Schema]], schemas: dict[str, Schema]) -> list[str]:
    """Return the names of what routes give, and of what that holds, each once."""
    todo = [
        name
        for _, _, route in routes
        for holder in (*route["responses"].values(), *_bodies(route, schemas))
        for name in _names(holder)
    ]
    seen: dict[str, None] = {}
    while todo:
        name = todo.pop(0)
        if name not in seen:
            seen[name] = None
            todo += _names(schemas[name])
    return list(seen)


def _bodies(route: Schema, schemas: dict[str, Schema]) -> list[Schema]:
    """Return what the body of a route is made of, which has no heading of its own."""
    return [schemas[name] for name in _names(route.get("requestBody", {}))]


def _names(schema: Any) -> list[str]:
    """Return the names of the schemas that one refers to, in their order."""
    if isinstance(schema, dict):
        own = [_name(schema)] if "$ref" in schema else []
        return own + [name for value in schema.values() for name in _names(value)]
    if isinstance(schema, list):
        return [name for value in schema for name in _names(value)]
    return []


def _name(schema: Schema) -> str:
    reference: str = schema["$ref"]
    return reference.rpartition("/")[2]


def _schema(name: str, schema: Schema) -> str:
    return "\n".join([f"### {name}\n", schema["description"] + "\n", _fields(schema)])


def _fields(schema: Schema) -> str:
    asked = "examples" in schema or schema.get("additionalProperties") is False
    required = schema.get("required", [])
    rows = [
        [
            code(name),
            _type(one),
            *([_default(one, required=name in required)] if asked else []),
            one.get("description", ""),
        ]
        for name, one in schema["properties"].items()
    ]
    head = ["field", "type", *(["default"] if asked else []), "what it is"]
    return table(head, rows)


def _default(schema: Schema, *, required: bool) -> str:
    if required:
        return "required"
    value = schema.get("default")
    return "" if value in (None, "", [], {}) else code(json.dumps(value).strip('"'))


def _type(schema: Schema) -> str:
    """Say a JSON type in words."""
    if "$ref" in schema:
        name = _name(schema)
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " or ".join(code(one) for one in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type(schema['items'])}"
    least, most = schema.get("minimum"), schema.get("maximum")
    bounded = least is not None and most is not None and most < _NO_BOUND
    return kind + (f", {least:g} to {most:g}" if bounded else "")
