"""What a score says as a probability."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.runs import SavedRun


def probabilities(run: SavedRun, scores: Tensor) -> Tensor:
    """Turn the scores of all entities for some queries, (rows, n_e), into probabilities.

    A model trained with the Bernoulli loss says σ(φ) of each fact by itself, as in the paper. One
    trained with the softmax loss says how the answer is shared out among all entities; known
    answers keep their share, so that a question answered already gives little to new ones.
    """
    if run.config["training"]["loss"] == "softmax":
        return torch.softmax(scores, dim=1)
    return torch.sigmoid(scores)
