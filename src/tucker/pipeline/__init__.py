"""How a run is made: recipes, defaults, and the training of all its members, with its report.

One model is fitted in `tucker.training`; tables of many runs are made in `tucker.reproduction`.
"""

from tucker.pipeline.recipe import Recipe, read_recipe
from tucker.pipeline.shipped import load_recipe
from tucker.pipeline.train import Trained, train

__all__ = ["Recipe", "Trained", "load_recipe", "read_recipe", "train"]
