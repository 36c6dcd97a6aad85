"""Names in, ranked new answers out: every question to a finished run.

`Asker` answers them all; here also are new entities, exports and a look inside. Reasons are in
`explain`, probabilities that hold in `calibration`. Nothing here trains, and nothing knows HTTP.
"""

from tucker.prediction.calibration.reliability import (
    Calibrated,
    Reliability,
    calibrated,
    reliability,
)
from tucker.prediction.classify import Classification, classify
from tucker.prediction.discover import discover
from tucker.prediction.explain.explainer import Explainer
from tucker.prediction.explain.explanation import Explanation
from tucker.prediction.explain.rule_list import Rule, rules_of
from tucker.prediction.neighbours import Neighbour, Neighbours
from tucker.prediction.predict import predict
from tucker.prediction.prediction import Prediction
from tucker.prediction.score import Scored, score_facts

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
    "predict",
    "reliability",
    "rules_of",
    "score_facts",
]
