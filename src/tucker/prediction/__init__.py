"""Names in, ranked new answers out."""

from tucker.prediction.discover import discover
from tucker.prediction.predict import predict
from tucker.prediction.prediction import Prediction

__all__ = ["Prediction", "discover", "predict"]
