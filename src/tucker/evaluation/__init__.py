"""How well a model ranks: ranks by counting, ties, metrics, drill-downs by relation and side.

A model and a graph come in, figures go out; how a model was trained and what its probabilities
are worth (`tucker.prediction.calibration`) are not known here.
"""

from tucker.evaluation.evaluate import By, Evaluation, evaluate
from tucker.evaluation.metrics import Metrics
from tucker.evaluation.ranking import Ranks, Ties, rank

__all__ = ["By", "Evaluation", "Metrics", "Ranks", "Ties", "evaluate", "rank"]
