"""Facts that are given: how much the model believes each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tucker.errors import TuckerError
from tucker.graph import Facts, Graph, Ids, named_facts, read_facts
from tucker.prediction.asker import Asker
from tucker.prediction.prediction import Prediction
from tucker.runs import FinishedRun


@dataclass(frozen=True)
class Scored:
    """A fact that was given, with what the run says of it."""

    fact: Prediction  # with its score and probability
    known: bool  # whether the graph has it, in any split

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker score --json` prints."""
        return {**self.fact.as_dict(), "known": self.known}


def score_facts(run: FinishedRun, facts: Facts) -> list[Scored]:
    """Score facts, in their order; ranks tell the most probable first.

    A name that the graph lacks is told with its line, or with the number of its fact.
    """
    if isinstance(facts, str | Path):
        file = read_facts(facts)
        triples = _ids(run.graph, file.table, file.fault)
    else:
        triples = _ids(run.graph, named_facts(facts), _fault)
    judged = Asker(run).judge_facts(triples)
    known = np.isin(run.graph.codes(triples), run.graph.codes(run.graph.known))
    named = Prediction.ranked(
        run.graph, map(tuple, triples.tolist()), judged.scores, judged.chances, judged.ranks()
    )
    return [Scored(fact, bool(has)) for fact, has in zip(named, known, strict=True)]


def _fault(row: int, message: str) -> TuckerError:
    return TuckerError(f"fact {row + 1}: {message}")


def _ids(graph: Graph, table: pl.DataFrame, fault: Callable[[int, str], TuckerError]) -> Ids:
    """Return the ids of facts given by name, (facts, 3)."""
    ids = np.empty((table.height, 3), dtype=np.int64)
    vocabularies = {
        "subject": graph.entities,
        "relation": graph.relations,
        "object": graph.entities,
    }
    for column, (part, names) in enumerate(vocabularies.items()):
        for row, text in enumerate(table[part]):
            try:
                ids[row, column] = names.id(text)
            except TuckerError as error:
                raise fault(row, f"{part}: {error}") from error
    return ids
