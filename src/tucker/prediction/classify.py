"""True or false: facts told apart from corrupted ones by a threshold for each relation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tucker.errors import GraphError
from tucker.graph import Graph, Ids, Split
from tucker.prediction.asker import Asker
from tucker.runs import FinishedRun

_TRIES = 100  # draws of a corrupted fact that is not known
_ENOUGH = 10  # validation facts for a threshold of one's own

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Classification:
    """How well a split's facts are told from as many corrupted ones."""

    split: Split  # whose facts were told apart
    facts: int  # how many true ones
    corrupted: int  # how many false ones
    accuracy: float  # share that was told rightly
    roc_auc: float  # area under the ROC curve
    threshold: float  # log-odds, of relations with few validation facts
    thresholds: dict[str, float]  # log-odds, by relation

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker classify --json` prints."""
        return {
            "split": self.split,
            "facts": self.facts,
            "corrupted": self.corrupted,
            "accuracy": self.accuracy,
            "roc_auc": self.roc_auc,
            "threshold": self.threshold,
            "thresholds": self.thresholds,
        }


def classify(run: FinishedRun, *, seed: int = 0) -> Classification:
    """Choose a threshold for each relation on validation facts, and judge test facts by it.

    Each fact comes with a corrupted one, drawn with the seed. What is judged is the model's own
    evidence for a fact, the lesser of its object's and its subject's.
    """
    graph = run.graph
    splits: tuple[Split, ...] = ("valid", "test")
    for split in splits:
        if not len(graph.split(split)):
            raise GraphError(f"the graph {graph.name} has no {split} facts to tell from others")
    random = np.random.default_rng(seed)
    r, odds, true = _judged(run, "valid", random)
    overall = best_threshold(odds, true)
    counts = np.bincount(r[true], minlength=graph.n_r)
    thresholds = np.full(graph.n_r, overall)
    own = np.flatnonzero(counts >= _ENOUGH).tolist()
    for one in own:
        thresholds[one] = best_threshold(odds[r == one], true[r == one])
    r, odds, true = _judged(run, "test", random)
    return Classification(
        split="test",
        facts=int(true.sum()),
        corrupted=int((~true).sum()),
        accuracy=float(((odds >= thresholds[r]) == true).mean()),
        roc_auc=roc_auc(odds, true),
        threshold=overall,
        thresholds={graph.relations.name(one): float(thresholds[one]) for one in own},
    )


def _judged(
    run: FinishedRun, split: Split, random: np.random.Generator
) -> tuple[Ids, Floats, Truths]:
    """Return relation, evidence and truth of a split's facts and of as many corrupted ones."""
    facts, known = run.graph.split(split), run.graph.answers_known_at(split)
    false = corrupted(run.graph, facts, known, random)
    triples = np.concatenate([facts, false])
    true = np.arange(len(triples)) < len(facts)
    judged = Asker(replace(run, calibration=None), known).judge_facts(triples)
    return triples[:, 1], judged.evidence.double().numpy(), true


def corrupted(graph: Graph, facts: Ids, known: Ids, random: np.random.Generator) -> Ids:
    """Exchange the subject or the object of each fact for another that the relation has in train.

    Where all such facts are known there is nothing to draw, and the fact is left out.
    """
    taken = np.unique(graph.codes(known))
    allowed = [
        [np.unique(graph.train[graph.train[:, 1] == r, side]) for r in range(graph.n_r)]
        for side in (0, 2)
    ]
    false = facts.copy()
    wanted = np.arange(len(facts))  # those still to be drawn
    for _ in range(_TRIES):
        false[wanted] = facts[wanted]
        sides = random.integers(2, size=len(wanted))
        for row, side in zip(wanted, sides, strict=True):
            choice = allowed[side][facts[row, 1]]
            if len(choice):
                false[row, 2 * side] = random.choice(choice)
        wanted = wanted[np.isin(graph.codes(false[wanted]), taken)]
        if not len(wanted):
            break
    return np.delete(false, wanted, axis=0)


def best_threshold(odds: Floats, true: Truths) -> float:
    """Return where to part false from true with the fewest mistakes: midway between two facts."""
    order = np.argsort(odds, kind="stable")
    ordered, right = odds[order], true[order]
    mistakes = np.concatenate([[0], np.cumsum(right)])  # facts below a cut that are true
    mistakes = mistakes + (~right).sum() - np.concatenate([[0], np.cumsum(~right)])
    cuts = np.concatenate(
        [ordered[:1] - 1, (ordered[1:] + ordered[:-1]) / 2, ordered[-1:] + 1]
    )  # (facts + 1,)
    between = np.concatenate([[True], ordered[1:] > ordered[:-1], [True]])  # not among equals
    return float(cuts[between][np.argmin(mistakes[between])])


def roc_auc(odds: Floats, true: Truths) -> float:
    """Return how often a true fact has more evidence than a false one, ties counting half."""
    _, place, counts = np.unique(odds, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]  # mean rank among equals
    positive, negative = int(true.sum()), int((~true).sum())
    if not positive or not negative:
        return 0.5
    above = ranks[true].sum() - positive * (positive + 1) / 2
    return float(above / (positive * negative))
