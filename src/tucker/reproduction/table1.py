"""The paper's Table 1: the models, from their own docstrings, with parameters counted."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

import torch

from tucker.models import MODELS
from tucker.reproduction.family import family, graph_size
from tucker.reproduction.study import Sheet, Study

_COUNTED = ("FB15k-237", "WN18RR")
_D_R = {"FB15k-237": 200, "WN18RR": 30}
_HALVED = ("complex", "simple")  # the paper counts one half of their embeddings


@dataclass(frozen=True)
class Quoted:
    """A number of parameters that the paper's text gives, in millions, and how to count it."""

    says: str
    millions: float
    model: str
    dataset: str
    size: int
    d_r: int | None = None

    def counted(self) -> int:
        """Return how many parameters the model has here, with a row of R a reciprocal relation."""
        d_e = 2 * self.size if self.model in _HALVED else self.size
        return count(self.model, self.dataset, d_e, self.d_r)


QUOTED = (
    Quoted("TuckER, d_e = 200, d_r = 30", 9.4, "tucker", "WN18RR", 200, 30),
    Quoted("ComplEx, d_e = 200", 16.4, "complex", "WN18RR", 200),
    Quoted("SimplE, d_e = 200", 16.4, "simple", "WN18RR", 200),
    Quoted("TuckER, d_e = d_r = 100", 2.5, "tucker", "FB15k-237", 100, 100),
    Quoted("ComplEx, d_e = 100", 3.0, "complex", "FB15k-237", 100),
    Quoted("SimplE, d_e = 100", 3.0, "simple", "FB15k-237", 100),
    Quoted("TuckER, d_e = d_r = 20", 0.3, "tucker", "FB15k-237", 20, 20),
    Quoted("ComplEx, d_e = 200", 6.0, "complex", "FB15k-237", 200),
    Quoted("SimplE, d_e = 200", 6.0, "simple", "FB15k-237", 200),
    Quoted("ComplEx-N3, d_e = 2000: 18 times TuckER's", 9.4 * 18, "complex", "WN18RR", 2000),
    Quoted("ComplEx-N3, d_e = 2000: 5.5 times TuckER's", 11 * 5.5, "complex", "FB15k-237", 2000),
)


def count(model: str, dataset: str, d_e: int, d_r: int | None = None) -> int:
    """Return how many numbers a model of these sizes learns, reciprocal relations included."""
    n_e, n_r = graph_size(dataset)
    has_d_r = "d_r" in inspect.signature(MODELS[model]).parameters
    sizes: dict[str, int] = {"n_e": n_e, "n_r": 2 * n_r, "d_e": d_e}
    if has_d_r and d_r:
        sizes["d_r"] = d_r
    with torch.device("meta"):  # shapes without memory
        return MODELS[model](**sizes).count_parameters()


def table1() -> Study:
    """Return every model with its formula and its size at d_e = 200, and what the paper counts."""
    rows = [
        {
            **member.as_dict(),
            "parameters": {name: count(member.name, name, 200, _D_R[name]) for name in _COUNTED},
        }
        for member in family()
        if member.name in MODELS  # of vectors, as the paper's
    ]
    quoted = [
        {"says": one.says, "dataset": one.dataset, "millions": one.millions, "here": one.counted()}
        for one in QUOTED
    ]
    record = {"models": rows, "quoted": quoted}
    head = ["model", "φ(s, r, o)", "relation", "space", "fully expressive", *_COUNTED]
    lines = [
        [
            MODELS[row["model"]].__name__,
            row["score"].partition(" = ")[2],
            row["relation"],
            row["space"],
            "yes" if row["fully_expressive"] else "no",
            *(f"{row['parameters'][name]:,}" for name in _COUNTED),
        ]
        for row in rows
    ]
    beside = [
        [
            str(one["says"]),
            str(one["dataset"]),
            f"{one['millions']:.1f}",
            f"{int(str(one['here'])) / 1e6:.2f}",
        ]
        for one in quoted
    ]
    sheets = [
        Sheet("Table 1: models, and their parameters at d_e = 200 (d_r = 200, 30)", head, lines),
        Sheet(
            "Parameters that the paper's text gives, in millions",
            ["", "data set", "the paper", "counted here"],
            beside,
        ),
    ]
    notes = [
        "A row of R stands for each relation and one for its reciprocal. The paper counts one half "
        "of ComplEx's and SimplE's embeddings as d_e; in the first table d_e counts all numbers.",
    ]
    return Study("table1", record, sheets, notes)
