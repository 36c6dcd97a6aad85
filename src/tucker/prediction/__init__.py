"""Names in, ranked new answers out."""

from tucker.prediction.classification import Classification, classify
from tucker.prediction.discover import discover
from tucker.prediction.explanation import Explanation
from tucker.prediction.neighbours import Neighbour, Neighbours
from tucker.prediction.predict import predict
from tucker.prediction.prediction import Prediction
from tucker.prediction.reasons import Explainer, explain
from tucker.prediction.reliability import Calibrated, Reliability, calibrated, reliability
from tucker.prediction.rules import Rule, rules_of
from tucker.prediction.score import Scored, score_file

__all__ = [
    "Calibrated",
    "Classification",
    "Explainer",
    "Explanation",
    "Neighbour",
    "Neighbours",
    "Prediction",
    "Reliability",
    "Rule",
    "Scored",
    "calibrated",
    "classify",
    "discover",
    "explain",
    "predict",
    "reliability",
    "rules_of",
    "score_file",
]
