"""The paper's Figure 2: the cores with which TuckER is RESCAL, DistMult, ComplEx, SimplE and CP."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from tucker.graph import load_graph
from tucker.models import MODELS, Trilinear
from tucker.pipeline.plots import check_picture, save_picture
from tucker.pipeline.recipe import make_recipe
from tucker.pipeline.train import train as trained
from tucker.reproduction.study import Sheet, Study, kept

NAMES = ("rescal", "distmult", "complex", "simple", "cp")
_D_E, _TRIPLES = 12, 1_000
_TRAINING = {"epochs": 3, "batch_size": 512, "loss": "softmax", "learning_rate": 0.01}


def figure2(results: Path, *, train: bool = False) -> Study:
    """Return the cores of five short trainings on the bundled graph, and what they hold."""
    record = kept(results / "figure2.json", _made, train=train)
    rows = []
    for name in NAMES:
        one = record["cores"][name]
        shape = " × ".join(map(str, one["shape"]))
        values = ", ".join(f"{value:g}" for value in one["values"]) or "learned"
        difference = f"{one['largest_difference']:.1g}"
        rows.append([MODELS[name].__name__, shape, f"{len(one['entries']):,}", values, difference])
    head = ["model", "core", "not zero", "their values", "largest difference of scores"]
    title = "Figure 2: the core with which TuckER has a model's scores"
    notes = [
        f"Cores of models with embeddings of {_D_E} numbers, trained on world for "
        f"{_TRAINING['epochs']} epochs; differences are over {_TRIPLES:,} random triples.",
        "CP stands in no panel of the paper's figure; RESCAL's core has the relations' matrices "
        "as its slices, none of whose numbers is fixed.",
    ]
    return Study("figure2", record, [Sheet(title, head, rows)], notes, partial(_draw, record))


def _made() -> dict[str, Any]:
    return {"graph": "world", "cores": {name: _core(name) for name in NAMES}}


def _core(name: str) -> dict[str, Any]:
    plain = {"dropout_subject": 0.0, "dropout_query": 0.0, "batch_norm": False}
    model = {"name": name, "d_e": _D_E, **plain}
    recipe = make_recipe({"graph": "world", "model": model, "training": _TRAINING})
    one = trained(load_graph("world"), recipe).run.model.embedding
    assert isinstance(one, Trilinear)
    tucker = one.as_tucker()
    core = tucker.core.detach()
    places = core.nonzero()
    fixed = torch.unique(core) if name != "rescal" else torch.empty(0)
    return {
        "shape": list(core.shape),
        "entries": [[*place.tolist(), _rounded(core[tuple(place)])] for place in places],
        "values": [_rounded(value) for value in fixed if value],
        "largest_difference": float((_scores(one) - _scores(tucker)).abs().max()),
        "seed": recipe.seed,
        "config": recipe.model_dump(mode="json"),
    }


@torch.no_grad()
def _scores(model: Trilinear) -> Tensor:
    random = torch.Generator().manual_seed(0)
    s, o = torch.randint(model.n_e, (2, _TRIPLES), generator=random)
    return model.score(s, torch.randint(model.n_r, (_TRIPLES,), generator=random), o)


def _rounded(value: Tensor) -> float:
    return round(float(value), 4)


def _draw(record: dict[str, Any], path: Path) -> None:
    """Draw the entries of each core in its cube: above zero blue, below it red."""
    check_picture(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(3.6 * len(NAMES), 3.8), layout="constrained")
    for place, name in enumerate(NAMES, 1):
        one = record["cores"][name]
        axes: Any = figure.add_subplot(1, len(NAMES), place, projection="3d")
        of_s, of_r, of_o, value = zip(*one["entries"], strict=True)
        colours = ["#1f4fd8" if number > 0 else "#c42b1c" for number in value]
        axes.scatter(of_o, of_r, of_s, c=colours, s=60 / len(value) ** 0.3, depthshade=False)
        d_s, d_r, d_o = one["shape"]
        axes.set(xlim=(0, d_o), ylim=(0, d_r), zlim=(d_s, 0), title=MODELS[name].__name__)
        axes.set(xlabel="object", ylabel="relation", zlabel="subject")
        axes.set(xticklabels=[], yticklabels=[], zticklabels=[])
    save_picture(path, figure)
