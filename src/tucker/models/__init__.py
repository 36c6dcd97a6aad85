"""What vectors say: the models, one file each, with what they share.

Torch alone: a model knows counts and ids, but no graph and no file. How models are fitted stands in
`tucker.training`, and what paths say in `tucker.reasoning`.
"""

from tucker.models.analogy import ANALOGY
from tucker.models.base import Model, Relations
from tucker.models.complex import ComplEx
from tucker.models.conve import ConvE
from tucker.models.cp import CP
from tucker.models.distmult import DistMult
from tucker.models.exact import exact_complex, exact_simple, exact_tucker
from tucker.models.ftranse import FTransE
from tucker.models.groups import Groups
from tucker.models.hyper import HypER
from tucker.models.rescal import RESCAL
from tucker.models.rgcn import RGCN
from tucker.models.rotate import RotatE
from tucker.models.simple import SimplE
from tucker.models.stranse import STransE
from tucker.models.toruse import TorusE
from tucker.models.transe import TransE
from tucker.models.trilinear import Trilinear
from tucker.models.tucker import TuckER

MODELS: dict[str, type[Model]] = {
    "tucker": TuckER,
    "rescal": RESCAL,
    "distmult": DistMult,
    "complex": ComplEx,
    "simple": SimplE,
    "cp": CP,
    "analogy": ANALOGY,
    "conve": ConvE,
    "hyper": HypER,
    "transe": TransE,
    "stranse": STransE,
    "ftranse": FTransE,
    "rotate": RotatE,
    "toruse": TorusE,
    "rgcn": RGCN,
}
"""Every model by its name on the command line."""

__all__ = [
    "MODELS",
    "Groups",
    "Model",
    "Relations",
    "Trilinear",
    "TuckER",
    "exact_complex",
    "exact_simple",
    "exact_tucker",
]
