"""A recipe: everything that decides a run, as one flat YAML file or typed settings."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)

from tucker.errors import SettingsError
from tucker.mixture import TRAINED
from tucker.runs.folder import CONFIG
from tucker.runs.tables import KNOWN
from tucker.training import RulesSettings, TrainingSettings

Settings = dict[str, Any]
Changes = Mapping[str, Any] | Iterable[str]
"""Settings to change, by dotted key; or texts as `--set` takes them: "training.epochs=5"."""


class Beside(BaseModel):
    """A second model, trained on its own, and how much its score counts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Settings = Field(description="The name and the settings of the second model.")
    training: TrainingSettings = Field(
        TrainingSettings(), description="How the second model is trained."
    )
    weight: float = Field(
        1.0, gt=0, allow_inf_nan=False, description="λ: how much its score counts in φ₁ + λ φ₂."
    )

    @field_validator("model")
    @classmethod
    def _complete(cls, settings: Settings) -> Settings:
        try:
            return complete_model_settings(settings)
        except SettingsError as error:
            raise SettingsError(f"beside: {error}") from error


class Recipe(BaseModel):
    """Graph, seed, model and training; `about` may hold the published figures and the doubts.

    >>> recipe = tucker.Recipe(graph="world", model={"name": "complex", "d_e": 50})
    >>> recipe.training.epochs
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    graph: str = Field(description="A file, a folder or the name of a dataset.")
    seed: int = Field(
        0, ge=0, description="Decides the first weights, the order of the batches and dropout."
    )
    split_version: Literal[1, 2] | None = Field(
        None,
        description="How one file is divided: 2 by its facts alone, 1 also by the order of its "
        "lines, as in runs of before. Without it a new run takes 2.",
    )
    model: Settings = Field(description="The name of the model, and its settings.")
    training: TrainingSettings = Field(TrainingSettings(), description="How the model is trained.")
    beside: Beside | None = Field(
        None, description="A second model, trained on its own; the scores of both are added."
    )
    rules: RulesSettings | None = Field(
        None, description="Rules, learned with the model, whose scores are added."
    )
    start: str | None = Field(
        None, description="Warm start: the folder of a run whose weights training begins with."
    )
    about: Settings = Field(
        default_factory=dict,
        description="Remarks for readers, such as published figures. They change nothing.",
    )

    @field_validator("model")
    @classmethod
    def _complete(cls, settings: Settings) -> Settings:
        return complete_model_settings(settings)

    @field_validator("beside")
    @classmethod
    def _of_one_kind(cls, beside: Beside | None, info: ValidationInfo) -> Beside | None:
        own = info.data.get("training")
        if beside and own and beside.training.loss != own.loss:
            losses = f"{own.loss} and {beside.training.loss}"
            raise SettingsError(f"beside: both models need the same loss; found {losses}")
        return beside

    @model_validator(mode="wrap")
    @classmethod
    def _told(cls, settings: Any, validate: ModelWrapValidatorHandler[Recipe]) -> Recipe:
        """Say the first fault in one sentence."""
        try:
            return validate(settings)
        except ValidationError as error:
            raise SettingsError(_explain(error)) from error


def read_recipe(path: Path) -> Settings:
    """Read the keys of a recipe file, which may be the config of a run."""
    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        hint = f"a recipe is; for a file of facts, say --graph {path}"
        raise SettingsError(f"{path}{line}: is not YAML: {hint}") from error
    if not isinstance(settings, dict):
        raise SettingsError(f"{path}: a recipe has keys such as graph, model and training")
    if path.name == CONFIG and (path.parent / KNOWN).exists():  # perhaps older than the key
        settings.setdefault("split_version", 1)
    return settings


def with_changes(settings: Settings, changes: Changes) -> Settings:
    """Return settings with some changed: by key, such as `training.epochs`, or as `--set` says."""
    texts = [changes] if isinstance(changes, str) else changes
    pairs = texts.items() if isinstance(texts, Mapping) else map(_read_change, texts)
    for key, value in pairs:
        settings = merged(settings, _nested(key, value))
    return settings


def make_recipe(settings: Settings) -> Recipe:
    """Make a recipe from settings; an unknown key names the nearest one."""
    return Recipe(**settings)


def merged(settings: Settings, more: Settings) -> Settings:
    """Return settings with some of their keys, also nested ones, replaced."""
    result = dict(settings)
    for key, value in more.items():
        below = result.get(key)
        both = isinstance(below, dict) and isinstance(value, dict)
        result[key] = merged(dict(below or {}), value) if both else value
    return result


def same_settings(one: Settings, other: Settings) -> bool:
    """Say whether two configs decide the same: remarks aside, and with the defaults of both.

    The version of the split is left aside too: a run has its split in its folder, and the datasets
    that results are of come with theirs.
    """
    return _deciding(one) == _deciding(other)


def by_section(model: str, settings: Settings) -> Settings:
    """Sort settings given without their section into those of a model and those of training."""
    known = {**fields_of_model(_known_model(model)), **TrainingSettings.model_fields}
    for key in settings:
        if key not in known:
            raise SettingsError(f"there is no setting {key}{_nearest(key, known)}")
    training = {key: settings[key] for key in settings if key in TrainingSettings.model_fields}
    return {
        "model": {key: settings[key] for key in settings if key not in training},
        "training": training,
    }


def complete_model_settings(settings: Settings) -> Settings:
    """Check model settings against the signature of the model's class, and add its defaults."""
    settings = dict(settings)
    name = _known_model(settings.pop("name", "tucker"))
    fields = fields_of_model(name)
    strict = ConfigDict(extra="forbid", allow_inf_nan=False)
    schema = create_model("model", __config__=strict, **fields)
    try:
        complete = schema(**settings).model_dump()
    except ValidationError as error:
        raise SettingsError(_explain(error, "model.")) from error
    for key, value in complete.items():
        if key in ("gamma", "scale", "initial_width") and value is not None and value <= 0:
            raise SettingsError(f"model.{key} is {value:g}: it must be greater than 0")
        if key.startswith("dropout") and not 0 <= value < 1:
            raise SettingsError(f"model.{key} is {value}: a dropout lies from 0 to below 1")
        if isinstance(value, int) and not isinstance(value, bool) and value < 1:
            raise SettingsError(f"model.{key} is {value}: it must be at least 1")
    return {"name": name, **complete}


def _deciding(settings: Settings) -> Settings:
    bare = {key: settings[key] for key in settings.keys() - {"about", "split_version"}}
    try:
        return make_recipe(bare).model_dump(mode="json")
    except SettingsError:  # of another version
        return bare


def _known_model(name: object) -> str:
    if name not in TRAINED:
        raise SettingsError(f"there is no model {name!r}{_nearest(str(name), TRAINED)}")
    return str(name)


def fields_of_model(name: str) -> Settings:
    """Return the type and default of each setting of a model, from its class's signature."""
    parameters = inspect.signature(TRAINED[name], eval_str=True).parameters
    return {
        key: (parameter.annotation, parameter.default)
        for key, parameter in parameters.items()
        if key not in ("n_e", "n_r")
    }


def _nested(key: str, value: Any) -> Settings:
    """Return the settings in which a dotted key has a value."""
    first, dot, rest = key.partition(".")
    return {first: _nested(rest, value) if dot else value}


def _read_change(change: str) -> tuple[str, Any]:
    """Read the `key=value` text of a `--set`."""
    key, equals, text = change.partition("=")
    if not equals or not key:
        raise SettingsError(f"--set takes key=value, such as training.epochs=5; found {change!r}")
    try:
        return key, yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise SettingsError(f"--set {change}: the value cannot be read") from error


def _explain(error: ValidationError, prefix: str = "") -> str:
    """Say the first fault of some settings in one sentence."""
    first = error.errors()[0]
    key = prefix + ".".join(str(part) for part in first["loc"])
    if key.startswith("beside."):
        own = key.removeprefix("beside.")
        return "beside: " + _explain_key(own, first, Beside.model_fields)
    return _explain_key(key, first, Recipe.model_fields)


def _explain_key(key: str, first: Mapping[str, Any], fields: Iterable[str]) -> str:
    if first["type"] == "missing":
        return f"the recipe does not say its {key}"
    if first["type"] != "extra_forbidden":
        reason = first["msg"].removeprefix("Value error, ")  # Pydantic's word before ours
        return f"{key}: {reason} (found {first['input']!r})"
    known = [*fields, *(f"training.{name}" for name in TrainingSettings.model_fields)]
    known += [f"rules.{name}" for name in RulesSettings.model_fields]
    known += {f"model.{name}": None for model in TRAINED for name in fields_of_model(model)}
    if key in known:
        return f"{key} is a setting of other models, not of this one"
    section, _, name = key.rpartition(".")
    beside = [other for other in known if other.rpartition(".")[0] == section]
    elsewhere = [other for other in known if other.rpartition(".")[2] == name and other != key]
    if elsewhere:
        return f"there is no setting {key}; did you mean {' or '.join(elsewhere)}?"
    return f"there is no setting {key}{_nearest(name, beside)}"


def _nearest(name: str, known: Iterable[str]) -> str:
    """Hint at the known names, dotted or not, whose last part is most like a name."""
    last = {other.rpartition(".")[2]: other for other in known}
    close = difflib.get_close_matches(name, last, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {last[close[0]]}?"
    return f"; known are {', '.join(last.values())}"
