"""Facts that are given: how much the model believes each of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tucker.errors import FileError, TuckerError
from tucker.graph import Graph, Ids, read_facts
from tucker.prediction.new import NewAnswers
from tucker.prediction.prediction import Prediction
from tucker.prediction.probability import answer_evidence, fact_chances, probabilities
from tucker.runs import FinishedRun

_BLOCK_NUMBERS = 1 << 21  # scores at a time: 8 MiB


@dataclass(frozen=True, eq=False)
class Belief:
    """What a run says of some facts, asked for their objects and for their subjects."""

    scores: Tensor  # (facts,) φ(s, r, o)
    evidence: Tensor  # (facts,) the lesser of the two
    lesser: Tensor  # (facts,) the lesser of the two chances
    chances: Tensor  # (facts,) the probability of each by itself


@torch.no_grad()
def believe(run: FinishedRun, triples: Ids, known: Ids | None = None) -> Belief:
    """Score facts given by ids, (facts, 3); `known` are those that other answers give way to.

    A known fact is scored as if it were not known: it does not give way to itself.
    """
    new_answers = NewAnswers(run.graph, known)
    entities = run.model.entities()
    order = np.argsort(triples[:, 1], kind="stable")  # a relation's matrix is formed once a block
    parts = []
    for block in torch.split(torch.from_numpy(triples[order]), _rows(run)):
        s, r, o = block.T
        sides = [(s, r, o), (o, r + run.graph.n_r, s)]
        parts.append([_ask(run, *side, new_answers, entities) for side in sides])
    back = torch.from_numpy(np.argsort(order, kind="stable"))
    scores = torch.cat([forth[0] for forth, _ in parts])[back]
    odds, lesser = (
        torch.cat([torch.minimum(forth[i], other[i]) for forth, other in parts])[back]
        for i in (1, 2)
    )
    return Belief(scores, odds, lesser, fact_chances(run, lesser))


def _rows(run: FinishedRun) -> int:
    return max(1, _BLOCK_NUMBERS // run.graph.n_e)


def _ask(
    run: FinishedRun, s: Tensor, r: Tensor, o: Tensor, new_answers: NewAnswers, entities: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    scores = run.model.score_objects(s, r, entities)  # (rows, n_e)
    new = new_answers(s, r, o)
    odds = answer_evidence(run, scores, new, o)
    chances = probabilities(run, odds, r, new, asked=False)
    return scores.gather(1, o[:, None]).flatten(), odds.flatten(), chances.flatten()


@dataclass(frozen=True)
class Scored:
    """One fact of a file, with what the run says of it."""

    fact: Prediction
    known: bool  # whether the graph has it, in any split

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker score --json` prints."""
        return {**self.fact.as_dict(), "known": self.known}


def ranked(lesser: Tensor, evidence: Tensor) -> Ids:
    """Return the rank of each fact from 1, (facts,): by the lesser chance, then by evidence."""
    order = np.lexsort((-evidence.numpy(), -lesser.numpy()))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks


def score_file(run: FinishedRun, path: Path | str) -> list[Scored]:
    """Score every fact of a file, in its order; ranks tell the most probable first."""
    triples = _read_ids(run.graph, Path(path))
    belief = believe(run, triples)
    ranks = ranked(belief.lesser, belief.evidence)
    known = np.isin(run.graph.codes(triples), run.graph.codes(run.graph.known))
    return [
        Scored(
            Prediction.of_ids(
                run.graph, *fact, score=float(score), probability=float(chance), rank=int(rank)
            ),
            bool(has),
        )
        for fact, score, chance, rank, has in zip(
            triples.tolist(), belief.scores, belief.chances, ranks, known, strict=True
        )
    ]


def _read_ids(graph: Graph, path: Path) -> Ids:
    """Read the facts of a file as ids; a name that the graph lacks is told with its line."""
    facts = read_facts(path)
    ids = np.empty((facts.table.height, 3), dtype=np.int64)
    for column, (name, vocabulary) in enumerate(
        {
            "subject": graph.entities,
            "relation": graph.relations,
            "object": graph.entities,
        }.items()
    ):
        for row, text in enumerate(facts.table[name]):
            try:
                ids[row, column] = vocabulary.id(text)
            except TuckerError as error:
                raise FileError(path, f"{name}: {error}", facts.line(row)) from error
    return ids
