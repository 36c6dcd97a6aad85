"""Filtered ranking: ranks by counting, tie policies, metrics, drill-downs."""

from tucker.evaluation.evaluate import By, Evaluation, evaluate
from tucker.evaluation.metrics import Metrics
from tucker.evaluation.ranking import Ranks, Ties, rank

__all__ = ["By", "Evaluation", "Metrics", "Ranks", "Ties", "evaluate", "rank"]
