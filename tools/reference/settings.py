"""The page of all settings, from the recipe's fields and the signatures of the models."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from tools.reference.markdown import block, code, table, type_words, value_words
from tucker.graph import Graph
from tucker.mixture import TRAINED
from tucker.models import MODELS
from tucker.models.setting_help import MODEL_SETTINGS
from tucker.pipeline.defaults import default_settings
from tucker.pipeline.recipe import Beside, Recipe, fields_of_model
from tucker.reasoning.pathnet import PATHNET_SETTINGS
from tucker.training import RulesSettings, TrainingSettings

HEAD = ["setting", "type", "default", "what it does"]
INTRO = """# Settings

A **recipe** holds everything that decides a run. It is a YAML file; every key stands on this page.

{example}
The same settings are given on the command line with `--set`, and in Python as keyword arguments:

```console
$ tucker train --graph world --set model.d_e=100 --set training.epochs=60 --out runs/world
```

```python
run = tucker.train(graph, model="tucker", d_e=100, epochs=60)
```

An unknown key is an error, and the message names the nearest one. A key that a recipe file leaves
out has the default of this page. `tucker train --graph` and `tucker.train` choose some settings
[for the size of the graph](#chosen-for-a-graph) instead.
"""
EXAMPLE = """graph: world
seed: 0
model:
  name: tucker
  d_e: 100
  d_r: 30
training:
  loss: softmax
  epochs: 60
  learning_rate: 0.01
"""
MODEL = """## model

`model.name` is the model:
{names}.
[Models](../understand/models.md) tells them apart. Its other keys are the keyword arguments of its
class. In brackets stand the models that have a setting with that default.
"""
CHOSEN = """## Chosen for a graph

What `tucker train --graph PATH` and `tucker.train(graph)` choose where you set nothing. A *large*
graph has at least 50,000 training facts. A smaller one is *dense* if it has at least 20 training
facts an entity, and *sparse* otherwise. Every other setting has its default. On a large graph, a
model that scores by distance, such as TransE, also gets `training.candidates` {candidates}, because
distances to all entities take many times as long as products. The path network (`pathnet`) has
settings of its own.
"""
BOUNDS = {"ge": "≥ {}", "gt": "> {}", "le": "≤ {}", "lt": "< {}"}


def page() -> str:
    """Return the page."""
    names = ", ".join(code(name) for name in TRAINED)
    return "\n".join(
        [
            INTRO.format(example=block("yaml", EXAMPLE)),
            "## The recipe\n",
            table(HEAD, rows(Recipe)),
            MODEL.format(names=names),
            table(HEAD, model_rows()),
            "## training\n",
            table(HEAD, rows(TrainingSettings, "training.")),
            "## rules\n",
            "With `rules` in the recipe, also empty as in `rules: {}`, rules are learned with the "
            "model\n([Reasoning](../understand/reasoning.md)).\n",
            table(HEAD, rows(RulesSettings, "rules.")),
            "## beside\n",
            "A second model whose score is added. Both need the same loss.\n",
            table(HEAD, rows(Beside, "beside.")),
            CHOSEN.format(candidates=_candidates()),
            table(["setting", "sparse", "dense", "large"], chosen_rows()),
        ]
    )


def rows(section: type[BaseModel], prefix: str = "") -> Iterator[list[str]]:
    """Yield the row of each field of a section."""
    for name, field in section.model_fields.items():
        assert field.description, f"{prefix}{name} has no description"
        yield [code(prefix + name), _type(field), _default(name, field), field.description]


def model_rows() -> Iterator[list[str]]:
    """Yield the row of each setting that some model has."""
    fields = {model: fields_of_model(model) for model in TRAINED}
    for name, sentence in (MODEL_SETTINGS | PATHNET_SETTINGS).items():
        of_model = {model: known[name] for model, known in fields.items() if name in known}
        kinds = dict.fromkeys(type_words(kind) for kind, _ in of_model.values())
        by_default: dict[str, list[str]] = {}
        for model, (_, default) in of_model.items():
            by_default.setdefault(value_words(default) or "none", []).append(model)
        kind = " or ".join(_shortest(list(kinds)))
        yield [code("model." + name), kind, _by_model(by_default), sentence]


def chosen_rows() -> Iterator[list[str]]:
    """Yield what is chosen for three sizes of graphs, a row a setting."""
    chosen = [_flat(default_settings(graph)) for graph in _graphs()]
    for key in dict.fromkeys(key for one in chosen for key in one):
        yield [code(key), *(value_words(one.get(key)) for one in chosen)]


def _candidates() -> int:
    *_, large = _graphs()
    count: int = default_settings(large, "transe")["training"]["candidates"]
    return count


def _graphs() -> list[Graph]:
    """Return what stands for a sparse, a dense and a large graph: only sizes are looked at."""
    sizes = ((1000, 3000), (100, 3000), (10_000, 100_000))
    return [cast(Graph, SimpleNamespace(n_e=n_e, train=range(facts))) for n_e, facts in sizes]


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    return {
        f"{section}.{key}": value
        for section, values in settings.items()
        for key, value in values.items()
    }


def _shortest(kinds: list[str]) -> list[str]:
    """Leave out a type whose choices another one has, too."""
    return [one for one in kinds if not any(one in other and one != other for other in kinds)]


def _by_model(by_default: dict[str, list[str]]) -> str:
    """Return each default with the models that have it in brackets."""
    if set(MODELS) == {model for models in by_default.values() for model in models}:
        most = max(by_default, key=lambda default: len(by_default[default]))
        by_default = {**by_default, most: ["all others" if len(by_default) > 1 else "all"]}
    return ", ".join(f"{default} ({', '.join(models)})" for default, models in by_default.items())


def _type(field: FieldInfo) -> str:
    bounds = [
        sign.format(f"{getattr(one, key):g}")
        for one in field.metadata
        for key, sign in BOUNDS.items()
        if getattr(one, key, None) is not None
    ]
    return ", ".join([type_words(field.annotation), *bounds])


def _default(name: str, field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "" if field.default_factory else "required"
    if isinstance(field.default, BaseModel):
        return f"[its defaults](#{name})"
    return value_words(field.default)
