"""The paper's Tables 3 and 4, as published: filtered ranking of the test splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SOURCE = (
    "Balažević, Allen and Hospedales, TuckER: Tensor Factorization for Knowledge Graph Completion, "
    "EMNLP 2019, https://arxiv.org/abs/1901.09590"
)
FIGURES = ("mrr", "hits_at_1", "hits_at_3", "hits_at_10")


@dataclass(frozen=True)
class Published:
    """What others report of a model on a dataset; None is a dash there."""

    model: str  # its name
    linear: bool  # whether it is a linear model
    mrr: float | None  # mean reciprocal rank
    hits_at_10: float | None  # share among the first ten
    hits_at_3: float | None  # share among the first three
    hits_at_1: float | None  # share that is first

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker reproduce --json` prints."""
        figures = {figure: getattr(self, figure) for figure in FIGURES}
        return {"model": self.model, "linear": self.linear, **figures}


@dataclass(frozen=True)
class Table:
    """A table of link prediction results that others report: its rows, by dataset."""

    name: str  # as `tucker reproduce` takes it
    title: str  # of the table
    rows: dict[str, tuple[Published, ...]]  # by dataset
    source: str = SOURCE  # where it stands

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets of the table, in its order."""
        return tuple(self.rows)


_NONE = (None, None, None, None)
_TABLE_3 = Table(
    "table3",
    "Table 3",
    {
        "WN18RR": (
            Published("DistMult", True, 0.430, 0.490, 0.440, 0.390),
            Published("ComplEx", True, 0.440, 0.510, 0.460, 0.410),
            Published("Neural LP", False, *_NONE),
            Published("R-GCN", False, *_NONE),
            Published("MINERVA", False, *_NONE),
            Published("ConvE", False, 0.430, 0.520, 0.440, 0.400),
            Published("HypER", False, 0.465, 0.522, 0.477, 0.436),
            Published("M-Walk", False, 0.437, None, 0.445, 0.414),
            Published("RotatE", False, *_NONE),
            Published("TuckER", True, 0.470, 0.526, 0.482, 0.443),
        ),
        "FB15k-237": (
            Published("DistMult", True, 0.241, 0.419, 0.263, 0.155),
            Published("ComplEx", True, 0.247, 0.428, 0.275, 0.158),
            Published("Neural LP", False, 0.250, 0.408, None, None),
            Published("R-GCN", False, 0.248, 0.417, 0.264, 0.151),
            Published("MINERVA", False, None, 0.456, None, None),
            Published("ConvE", False, 0.325, 0.501, 0.356, 0.237),
            Published("HypER", False, 0.341, 0.520, 0.376, 0.252),
            Published("M-Walk", False, *_NONE),
            Published("RotatE", False, 0.297, 0.480, 0.328, 0.205),  # no self-adversarial negatives
            Published("TuckER", True, 0.358, 0.544, 0.394, 0.266),
        ),
    },
)
_TABLE_4 = Table(
    "table4",
    "Table 4",
    {
        "WN18": (
            Published("TransE", False, None, 0.892, None, None),
            Published("DistMult", True, 0.822, 0.936, 0.914, 0.728),
            Published("ComplEx", True, 0.941, 0.947, 0.936, 0.936),
            Published("ANALOGY", True, 0.942, 0.947, 0.944, 0.939),
            Published("Neural LP", False, 0.940, 0.945, None, None),
            Published("R-GCN", False, 0.819, 0.964, 0.929, 0.697),
            Published("TorusE", False, 0.947, 0.954, 0.950, 0.943),
            Published("ConvE", False, 0.943, 0.956, 0.946, 0.935),
            Published("HypER", False, 0.951, 0.958, 0.955, 0.947),  # Hits@10 is printed as 958
            Published("SimplE", True, 0.942, 0.947, 0.944, 0.939),
            Published("TuckER", True, 0.953, 0.958, 0.955, 0.949),
        ),
        "FB15k": (
            Published("TransE", False, None, 0.471, None, None),
            Published("DistMult", True, 0.654, 0.824, 0.733, 0.546),
            Published("ComplEx", True, 0.692, 0.840, 0.759, 0.599),
            Published("ANALOGY", True, 0.725, 0.854, 0.785, 0.646),
            Published("Neural LP", False, 0.760, 0.837, None, None),
            Published("R-GCN", False, 0.696, 0.842, 0.760, 0.601),
            Published("TorusE", False, 0.733, 0.832, 0.771, 0.674),
            Published("ConvE", False, 0.657, 0.831, 0.723, 0.558),
            Published("HypER", False, 0.790, 0.885, 0.829, 0.734),
            Published("SimplE", True, 0.727, 0.838, 0.773, 0.660),
            Published("TuckER", True, 0.795, 0.892, 0.833, 0.741),
        ),
    },
)
TABLES = {table.name: table for table in (_TABLE_3, _TABLE_4)}
