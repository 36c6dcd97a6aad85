"""The yardstick: TuckER written the plain way, as most code of the field does.

One relation matrix a row, a dense label matrix, BCELoss on probabilities, Adam unfused; ranking
that filters row by row and sorts all scores. Same model, same data, same numbers of everything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from tucker.graph import Graph, Ids, with_reciprocals
from tucker.models import TuckER
from tucker.pipeline.recipe import Recipe


class PlainTuckER(nn.Module):
    def __init__(self, n_e: int, n_r: int, d_e: int, d_r: int, dropouts: tuple[float, ...]) -> None:
        super().__init__()
        self.entities = nn.Embedding(n_e, d_e)
        self.relations = nn.Embedding(n_r, d_r)
        nn.init.xavier_normal_(self.entities.weight)
        nn.init.xavier_normal_(self.relations.weight)
        self.core = nn.Parameter(torch.empty(d_r, d_e, d_e).uniform_(-1, 1))
        self.norm_subject, self.norm_query = nn.BatchNorm1d(d_e), nn.BatchNorm1d(d_e)
        self.dropouts = nn.ModuleList(nn.Dropout(p) for p in dropouts)

    def forward(self, s: Tensor, r: Tensor) -> Tensor:
        d_r, d_e, _ = self.core.shape
        x = self.dropouts[0](self.norm_subject(self.entities(s)))
        matrix = (self.relations(r) @ self.core.view(d_r, -1)).view(-1, d_e, d_e)  # one a row
        x = torch.bmm(x.unsqueeze(1), self.dropouts[1](matrix)).squeeze(1)
        x = self.dropouts[2](self.norm_query(x))
        return torch.sigmoid(x @ self.entities.weight.T)


class PlainTraining:
    def __init__(self, graph: Graph, model: PlainTuckER, smoothing: float, rate: float) -> None:
        self.model, self.smoothing, self.n_e = model, smoothing, graph.n_e
        self.answers: dict[tuple[int, int], list[int]] = defaultdict(list)
        for s, r, o in with_reciprocals(graph.train, graph.n_r).tolist():
            self.answers[s, r].append(o)
        self.pairs = list(self.answers)
        self.loss = nn.BCELoss()
        self.optimiser = torch.optim.Adam(model.parameters(), lr=rate, fused=False, foreach=False)

    def batches(self, size: int, seed: int) -> Iterator[list[tuple[int, int]]]:
        order = np.random.default_rng(seed).permutation(len(self.pairs))
        for start in range(0, len(order), size):
            yield [self.pairs[i] for i in order[start : start + size]]

    def step(self, batch: list[tuple[int, int]]) -> float:
        labels = torch.zeros(len(batch), self.n_e)
        for row, pair in enumerate(batch):
            labels[row, self.answers[pair]] = 1.0
        if self.smoothing:
            labels = (1 - self.smoothing) * labels + 1 / self.n_e
        s, r = torch.tensor(batch).T
        self.optimiser.zero_grad()
        loss = self.loss(self.model(s, r), labels)
        loss.backward()
        self.optimiser.step()
        return float(loss.detach())


def plain_training(graph: Graph, recipe: Recipe) -> PlainTraining:
    """Return the plain form of a recipe's model and training."""
    settings, training = recipe.model, recipe.training
    dropouts = tuple(settings[f"dropout_{place}"] for place in ("subject", "relation", "query"))
    model = PlainTuckER(graph.n_e, 2 * graph.n_r, settings["d_e"], settings["d_r"], dropouts)
    return PlainTraining(graph, model, training.label_smoothing, training.learning_rate)


def as_tucker(plain: PlainTuckER) -> TuckER:
    """Return our model with the weights of the plain one, ready to rank."""
    d_r, d_e, _ = plain.core.shape
    E, R = plain.entities.weight.detach(), plain.relations.weight.detach()
    model = TuckER(n_e=len(E), n_r=len(R), d_e=d_e, d_r=d_r)
    model.norm_subject.load_state_dict(plain.norm_subject.state_dict())
    model.norm_query.load_state_dict(plain.norm_query.state_dict())
    with torch.no_grad():
        model.E.copy_(E)
        model.R.copy_(R)
        model.core.copy_(plain.core.transpose(0, 1))  # (d_r, d_e, d_e) -> (d_e, d_r, d_e)
    return model.eval()


def plain_known(graph: Graph) -> dict[tuple[int, int], list[int]]:
    known: dict[tuple[int, int], list[int]] = defaultdict(list)
    for s, r, o in with_reciprocals(graph.known, graph.n_r).tolist():
        known[s, r].append(o)
    return known


@torch.no_grad()
def plain_ranks(
    model: PlainTuckER, triples: Ids, known: dict[tuple[int, int], list[int]], batch_size: int
) -> list[int]:
    """Rank the objects of triples (given with reciprocals), filtered row by row and sorted."""
    model.eval()
    ranks = []
    for start in range(0, len(triples), batch_size):
        batch = torch.from_numpy(triples[start : start + batch_size])
        scores = model(batch[:, 0], batch[:, 1])
        for row, (s, r, o) in enumerate(batch.tolist()):
            true = scores[row, o].item()
            scores[row, known[s, r]] = 0.0
            scores[row, o] = true
        order = torch.argsort(scores, dim=1, descending=True)
        for row, o in enumerate(batch[:, 2].tolist()):
            ranks.append(1 + int((order[row] == o).nonzero()[0]))
    return ranks
