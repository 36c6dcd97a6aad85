"""Recipes, and the runs made from them."""

from tucker.pipeline.recipe import Recipe, read_recipe
from tucker.pipeline.shipped import load_recipe
from tucker.pipeline.train import Trained, train

__all__ = ["Recipe", "Trained", "load_recipe", "read_recipe", "train"]
