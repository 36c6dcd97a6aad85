"""How often discovered facts turn out to be held out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tucker.graph import Split
from tucker.prediction.best import Best
from tucker.prediction.discover import Search
from tucker.prediction.fit import Found, count, isotonic
from tucker.runs import SavedRun
from tucker.runs.calibration import Isotonic

FACTS = 10  # that are looked at for each fact held out
_QUESTIONS = 20_000  # that are asked at most
_ENOUGH = 100  # validation facts among those found


@dataclass(frozen=True, eq=False)
class Confirmed:
    """The facts that discovery finds best, and which of them a split has."""

    held_out: int  # how many facts of the split there were to find
    chances: npt.NDArray[np.float64]  # (n,) the lesser of both sides', the greatest first
    true: npt.NDArray[np.bool_]  # (n,) whether the split has the fact


def confirmed(run: SavedRun, split: Split, *, seed: int = 0) -> Confirmed:
    """Discover facts that the splits before one lack, and compare them with it.

    If there are too many subjects to ask about, some are drawn.
    """
    graph = run.graph
    search = Search(run, graph.known_before(split))
    questions = sum(len(search.subjects.plausible(r)) for r in range(graph.n_r))
    only = np.random.default_rng(seed).random(graph.n_e) < _QUESTIONS / max(questions, 1)
    facts = graph.split(split)
    facts = facts[only[facts[:, 0]]]
    best = Best(max(1, FACTS * len(facts)))
    for _ in search(range(graph.n_r), only, best):
        pass
    true = np.isin(graph.codes(best.facts.numpy()), graph.codes(facts))
    return Confirmed(len(facts), best.chances.numpy(), true)


def fact_curve(run: SavedRun, *, seed: int = 0) -> Isotonic | None:
    """Learn from validation facts how probable a fact is by the lesser chance of its two sides.

    None: too few of them are found to tell.
    """
    found = confirmed(run, "valid", seed=seed)
    if found.true.sum() < _ENOUGH:
        return None
    unseen = len(run.graph.test) / len(run.graph.valid)  # test facts for each validation fact
    counts = count(Found(found.chances, found.true, found.true, np.ones(len(found.true))), unseen)
    curve = isotonic(replace(counts, false=counts.false + 1))  # few facts make nothing certain
    return curve and Isotonic((0.0, *curve.evidence), (0.0, *curve.chances))
