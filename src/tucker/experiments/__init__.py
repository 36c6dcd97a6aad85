"""Recipes, and the runs made from them."""

from tucker.experiments.recipe import Recipe, load_recipe
from tucker.experiments.train import Trained, train

__all__ = ["Recipe", "Trained", "load_recipe", "train"]
