"""A recipe: everything that decides a run, as one flat YAML file or typed settings."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, field_validator

from tucker.errors import SettingsError
from tucker.models import MODELS
from tucker.training import TrainingSettings

Settings = dict[str, Any]


class Recipe(BaseModel):
    """Graph, seed, model and training; `about` may hold the published figures and the doubts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    graph: str = Field(description="a file, a folder or the name of a dataset")
    seed: int = Field(0, ge=0, description="decides the first weights, the shuffles and dropout")
    model: Settings = Field(description="its name, and the keyword arguments of its class")
    training: TrainingSettings = TrainingSettings()
    about: Settings = Field(default_factory=dict, description="remarks; they decide nothing")

    @field_validator("model")
    @classmethod
    def _complete(cls, settings: Settings) -> Settings:
        return complete_model_settings(settings)


def load_recipe(path: Path) -> Settings:
    """Read the keys of a recipe file."""
    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise SettingsError(f"{path}{line}: is not YAML; see a recipe in the README") from error
    if not isinstance(settings, dict):
        raise SettingsError(f"{path}: a recipe has keys such as graph, model and training")
    return settings


def make_recipe(settings: Settings, changes: Iterable[str] = ()) -> Recipe:
    """Make a recipe from settings and `key=value` changes; an unknown key names the nearest."""
    for change in changes:
        settings = _changed(settings, change)
    try:
        return Recipe(**settings)
    except ValidationError as error:
        raise SettingsError(_explain(error)) from error


def merged(settings: Settings, more: Settings) -> Settings:
    """Return settings with some of their keys, also nested ones, replaced."""
    result = dict(settings)
    for key, value in more.items():
        below = result.get(key)
        both = isinstance(below, dict) and isinstance(value, dict)
        result[key] = merged(dict(below or {}), value) if both else value
    return result


def complete_model_settings(settings: Settings) -> Settings:
    """Check model settings against the signature of the model's class, and add its defaults."""
    settings = dict(settings)
    name = settings.pop("name", "tucker")
    if name not in MODELS:
        raise SettingsError(f"there is no model {name!r}{_nearest(str(name), MODELS)}")
    parameters = inspect.signature(MODELS[name], eval_str=True).parameters
    fields: Settings = {
        key: (parameter.annotation, parameter.default)
        for key, parameter in parameters.items()
        if key not in ("n_e", "n_r")
    }
    schema = create_model("model", __config__=ConfigDict(extra="forbid"), **fields)
    try:
        complete = schema(**settings).model_dump()
    except ValidationError as error:
        raise SettingsError(_explain(error, "model.", list(fields))) from error
    for key, value in complete.items():
        if key.startswith("dropout") and not 0 <= value < 1:
            raise SettingsError(f"model.{key} is {value}: a dropout lies from 0 to below 1")
        if isinstance(value, int) and not isinstance(value, bool) and value < 1:
            raise SettingsError(f"model.{key} is {value}: it must be at least 1")
    return {"name": name, **complete}


def _changed(settings: Settings, change: str) -> Settings:
    key, equals, text = change.partition("=")
    if not equals or not key:
        raise SettingsError(f"--set takes key=value, such as training.epochs=5; found {change!r}")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise SettingsError(f"--set {change}: the value cannot be read") from error
    for part in reversed(key.split(".")):
        value = {part: value}
    return merged(settings, value)


def _explain(error: ValidationError, prefix: str = "", keys: Iterable[str] = ()) -> str:
    """Say the first fault of some settings in one sentence."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"]]
    key = prefix + ".".join(place)
    if first["type"] != "extra_forbidden":
        return f"{key}: {first['msg']} (found {first['input']!r})"
    if not prefix:
        keys = TrainingSettings.model_fields if place[0] == "training" else Recipe.model_fields
    parent = key.rpartition(".")[0]
    return f"there is no setting {key}{_nearest(place[-1], keys, parent)}"


def _nearest(text: str, known: Iterable[str], parent: str = "") -> str:
    known = list(known)
    names = difflib.get_close_matches(text, known, n=1, cutoff=0.5)
    dotted = [f"{parent}.{name}" if parent else name for name in names or known]
    return f"; did you mean {dotted[0]}?" if names else f"; known are {', '.join(dotted)}"
