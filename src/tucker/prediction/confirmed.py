"""How often discovered facts turn out to be held out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tucker.graph import Graph, Ids
from tucker.prediction.best import Best
from tucker.prediction.calibrate import Found, count, isotonic
from tucker.prediction.discover import Search
from tucker.runs import SavedRun
from tucker.runs.calibration import Isotonic

_QUESTIONS = 20_000  # that are asked at most
_FACTS = 10  # that are looked at for each validation fact
_ENOUGH = 100  # validation facts among them


def confirmed(run: SavedRun, *, seed: int = 0) -> Isotonic | None:
    """Learn how often facts that `discover` finds so probable are held out, from validation facts.

    The best facts that train lacks, of some subjects if there are too many, are compared with the
    split. The curve holds where held-out facts count as missing. None: there is too little to see.
    """
    graph = run.graph
    search = Search(run, graph.train)
    questions = sum(len(search.subjects.plausible(r)) for r in range(graph.n_r))
    share = min(1.0, _QUESTIONS / max(questions, 1))
    only = np.random.default_rng(seed).random(graph.n_e) < share
    best = Best(max(1, int(share * _FACTS * len(graph.valid))))
    for _ in search(range(graph.n_r), only, best):
        pass
    true = np.isin(_codes(graph, best.facts.numpy()), _codes(graph, graph.valid))
    if true.sum() < _ENOUGH:
        return None
    unseen = len(graph.test) / len(graph.valid)  # test facts found for each validation fact
    counts = count(Found(best.chances.numpy(), true, true, np.ones(len(true))), unseen)
    curve = isotonic(replace(counts, false=counts.false + 1))  # few facts make nothing certain
    return curve and Isotonic((0.0, *curve.evidence), (0.0, *curve.chances))


def _codes(graph: Graph, facts: Ids) -> Ids:
    """Return a number for each fact."""
    return np.asarray(np.ravel_multi_index(tuple(facts.T), (graph.n_e, graph.n_r, graph.n_e)))
