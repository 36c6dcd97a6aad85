"""make bench-fold-in: what folding in is worth, where training did not see some entities.

They are folded in with half of their facts, and asked about the other half.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import numpy as np
import polars as pl
import torch

import tucker
from benchmarks.measuring import RESULTS, Figures, measured_on
from tucker.evaluation import evaluate
from tucker.files import write_text
from tucker.graph import Graph, Ids, Vocabulary, load_graph, name_table
from tucker.graph.extend import extend_graph
from tucker.prediction.fold_in import fold_in
from tucker.runs import FinishedRun

SHARES = {"umls": 0.1, "kinship": 0.1, "world": 0.05}
"""The share of its entities that training does not see, for each graph."""


def without(graph: Graph, share: float, seed: int) -> tuple[Graph, Ids, Ids]:
    """Return the graph without some entities, and two halves of the facts that those have."""
    random = np.random.default_rng(seed)
    facts = random.permutation(graph.known)
    degree = np.bincount(facts[:, [0, 2]].ravel(), minlength=graph.n_e)
    held = random.permutation(np.flatnonzero(degree >= 4))[: round(share * graph.n_e)]
    touches = np.isin(facts[:, [0, 2]], held)
    of_held = facts[touches.sum(1) == 1]
    entity = np.where(np.isin(of_held[:, 0], held), of_held[:, 0], of_held[:, 2])
    order = np.argsort(entity, kind="stable")
    of_held, entity = of_held[order], entity[order]
    first = np.searchsorted(entity, entity)
    given = (np.arange(len(entity)) - first) % 2 == 0
    rest = facts[touches.sum(1) == 0]
    ids = np.cumsum(~np.isin(np.arange(graph.n_e), held)) - 1
    valid = max(1, len(rest) // 20)
    rest = np.stack([ids[rest[:, 0]], rest[:, 1], ids[rest[:, 2]]], axis=1)
    names = graph.entities.names.filter(pl.Series(~np.isin(np.arange(graph.n_e), held)))
    small = Graph(
        graph.name,
        Vocabulary("entity", names),
        graph.relations,
        train=rest[valid:],
        valid=rest[:valid],
        test=rest[:0],
    )
    return small, of_held[given], of_held[~given]


def asked(run: FinishedRun, table: pl.DataFrame, known: Graph) -> float:
    """Return the MRR of the facts asked about, those given and learned being left out."""
    extended = extend_graph(known, table)
    graph = replace(run.graph, test=extended.train[len(known.train) :])
    return round(evaluate(run.model, graph, "test").mrr, 3)


def measure(graph: Graph, model: str, *, share: float, seed: int, epochs: int) -> Figures:
    """Fold some entities in that training did not see; compare with chance and with training."""
    small, given, rest = without(graph, share, seed)
    given_names, rest_names = name_table(graph, given), name_table(graph, rest)
    settings = {"epochs": epochs, "progress": False, "seed": seed}
    run = tucker.train(small, model, **settings)._saved
    folded = fold_in(run, given_names)
    rows = folded.model.E[small.n_e :]
    result: Figures = {
        "graph": graph.name,
        "model": model,
        "share": share,
        "seed": seed,
        "epochs": epochs,
        "entities": len(rows),
        "given": len(given),
        "asked": len(rest),
        "folded_in": asked(folded, rest_names, folded.graph),
    }
    with torch.no_grad():
        E = run.model.E
        rows.copy_(E.mean(0) + E.std(0) * torch.randn_like(rows))
    result["random"] = asked(folded, rest_names, folded.graph)
    whole = tucker.train(folded.graph, model, **settings)._saved
    result["trained"] = asked(whole, rest_names, folded.graph)
    return result


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--graphs", nargs="*", default=list(SHARES))
    words.add_argument("--model", default="tucker")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--epochs", type=int, default=30)
    said = words.parse_args()
    about = measured_on()
    graphs = [
        measure(
            load_graph(name), said.model, share=SHARES[name], seed=said.seed, epochs=said.epochs
        )
        for name in said.graphs
    ]
    write_text(RESULTS / "fold-in.json", json.dumps(about | {"graphs": graphs}, indent=2) + "\n")


if __name__ == "__main__":
    main()
