"""The models, one file each: torch only, knowing counts and ids but no graph and no file."""

from tucker.models.base import Model
from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear
from tucker.models.tucker import TuckER

MODELS: dict[str, type[Model]] = {
    "tucker": TuckER,
}
"""Every model by its name on the command line."""

__all__ = ["MODELS", "Groups", "Model", "Trilinear", "TuckER"]
