"""The most probable missing facts of one relation."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.graph import Answers, Ids
from tucker.prediction.plausible import plausible_subjects, reflexive
from tucker.prediction.prediction import Prediction
from tucker.prediction.probability import probabilities
from tucker.runs import SavedRun

_BLOCK_NUMBERS = 1 << 22  # scores at a time: 16 MiB


@torch.no_grad()
def discover(
    run: SavedRun, relation: str, *, known: Ids | None = None, k: int = 100
) -> list[Prediction]:
    """Return the k most probable new facts of a relation, over all plausible subjects.

    `known` are the facts to leave out: all that the graph has, unless told otherwise.
    """
    graph = run.graph
    relation_id = graph.relations.id(relation)
    answers = Answers.of(graph.known if known is None else known, graph.n_e, graph.n_r)
    loops = reflexive(graph, relation_id)
    best = torch.empty(0), torch.empty(0), torch.empty(0, 2, dtype=torch.long)
    subjects = torch.from_numpy(plausible_subjects(graph, relation_id))
    entities = run.model.entities()
    for s in torch.split(subjects, max(1, _BLOCK_NUMBERS // graph.n_e)):
        r = torch.full_like(s, relation_id)
        scores = run.model.score_objects(s, r, entities)  # (subjects, n_e)
        chances = probabilities(run, scores)
        rows, objects = map(torch.from_numpy, answers.find(s.numpy(), r.numpy()))
        chances[rows, objects] = -1
        if not loops:
            chances[torch.arange(len(s)), s] = -1
        top = torch.topk(chances.flatten(), min(k, chances.numel())).indices
        row, o = top // graph.n_e, top % graph.n_e
        found = scores[row, o], chances[row, o], torch.stack([s[row], o], dim=1)
        best = _best_of(best, found, k)
    return [
        Prediction.of_ids(
            graph,
            int(s),
            relation_id,
            int(o),
            score=float(score),
            probability=float(chance),
            rank=rank,
        )
        for rank, (score, chance, (s, o)) in enumerate(zip(*best, strict=True), start=1)
        if chance >= 0
    ]


def _best_of(
    one: tuple[Tensor, ...], other: tuple[Tensor, ...], k: int
) -> tuple[Tensor, Tensor, Tensor]:
    scores, chances, facts = (torch.cat(parts) for parts in zip(one, other, strict=True))
    order = torch.sort(chances, descending=True, stable=True).indices[:k]
    return scores[order], chances[order], facts[order]
