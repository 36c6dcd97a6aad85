"""Runs of different lengths laid end to end."""

from __future__ import annotations

import numpy as np

from tucker.graph.graph import Ids


def spans(lengths: Ids) -> tuple[Ids, Ids]:
    """Return, for each member of runs of these lengths, which run it is in and its place there."""
    of_run = np.repeat(np.arange(len(lengths)), lengths)
    return of_run, np.arange(len(of_run)) - (np.cumsum(lengths) - lengths)[of_run]
