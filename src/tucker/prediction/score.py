"""Facts that are given: how much the model believes each of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tucker.errors import FileError, TuckerError
from tucker.graph import Graph, Ids, read_facts
from tucker.prediction.asker import Asker
from tucker.prediction.prediction import Prediction
from tucker.runs import FinishedRun


@dataclass(frozen=True)
class Scored:
    """One fact of a file, with what the run says of it."""

    fact: Prediction  # with its score and probability
    known: bool  # whether the graph has it, in any split

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker score --json` prints."""
        return {**self.fact.as_dict(), "known": self.known}


def score_file(run: FinishedRun, path: Path | str) -> list[Scored]:
    """Score every fact of a file, in its order; ranks tell the most probable first."""
    triples = _read_ids(run.graph, Path(path))
    judged = Asker(run).judge_facts(triples)
    known = np.isin(run.graph.codes(triples), run.graph.codes(run.graph.known))
    facts = Prediction.ranked(
        run.graph, map(tuple, triples.tolist()), judged.scores, judged.chances, judged.ranks()
    )
    return [Scored(fact, bool(has)) for fact, has in zip(facts, known, strict=True)]


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
