"""The one door: what people call from Python, and what every command calls.

The names at the top of `tucker` are those to begin with; the others are what they return. Nothing
is computed here: each call goes on to the room that does it.
"""

from tucker.api.run import Run, load
from tucker.api.train import demo, resume, train
from tucker.evaluation import Evaluation, Metrics
from tucker.graph import (
    Graph,
    convert_graph,
    fetch_dataset,
    graph_stats,
    list_datasets,
    load_graph,
    split_graph,
)
from tucker.pipeline import Recipe, load_recipe
from tucker.pipeline.demo import Demo
from tucker.pipeline.shipped import recipe_names
from tucker.prediction import (
    Calibrated,
    Classification,
    Explanation,
    Neighbour,
    Prediction,
    Reliability,
    Rule,
    Scored,
)
from tucker.prediction.explain.explanation import PathReason
from tucker.prediction.inspect import RelationShape
from tucker.reproduction.compare import Comparison
from tucker.reproduction.family import ModelCard, list_models
from tucker.reproduction.page import write_page
from tucker.reproduction.reproduce import reproduce
from tucker.reproduction.studies import study

__all__ = [
    "Calibrated",
    "Classification",
    "Comparison",
    "Demo",
    "Evaluation",
    "Explanation",
    "Graph",
    "Metrics",
    "ModelCard",
    "Neighbour",
    "PathReason",
    "Prediction",
    "Recipe",
    "RelationShape",
    "Reliability",
    "Rule",
    "Run",
    "Scored",
    "convert_graph",
    "demo",
    "fetch_dataset",
    "graph_stats",
    "list_datasets",
    "list_models",
    "load",
    "load_graph",
    "load_recipe",
    "recipe_names",
    "reproduce",
    "resume",
    "split_graph",
    "study",
    "train",
    "write_page",
]
