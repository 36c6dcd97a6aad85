"""Candidate answers as ranking presents them, with whether a held-out split confirms them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from tucker.errors import GraphError
from tucker.graph import Answers, Ids, Split
from tucker.prediction.asker import Asker
from tucker.prediction.calibration.fit import Outcomes, count, isotonic
from tucker.prediction.discover import BestFacts, Search
from tucker.prediction.order import best_of_rows
from tucker.runs import FinishedRun
from tucker.runs.chance_curves import Isotonic

_SCORES_AT_ONCE = 1 << 18  # 1 MiB; larger parts leave holes in memory


@dataclass(frozen=True, eq=False)
class HeldOutAnswers:
    """Some candidates of all questions that a split answers, flat; facts of splits before left out.

    Questions are asked on both sides, each once.
    """

    questions: int
    relation: Ids  # (n,) of the question; from n_r on, a subject was asked for
    place: Ids  # (n,) 0 for the best candidate of a question
    closed: Ids  # (n,) how many entities are no candidates for its question
    evidence: npt.NDArray[np.float32]  # (n,) against the other candidates
    says: npt.NDArray[np.float32]  # (n,) the model's own log-odds
    true: npt.NDArray[np.bool_]  # (n,) whether the split has the fact
    shared: npt.NDArray[np.bool_]  # (n,) whether it is true and its question has another answer
    weight: npt.NDArray[np.float64]  # (n,) how many candidates it stands for


@torch.no_grad()
def held_out_answers(
    run: FinishedRun, split: Split, *, top: int, sampled: int = 0, seed: int = 0
) -> HeldOutAnswers:
    """Return the best new answers to each question of a split, as `predict` would show them.

    With `sampled`, the true answers below them too, and a sample that stands for all the rest.
    """
    graph = run.graph
    facts = graph.split(split)
    if not len(facts):
        raise GraphError(f"the graph {graph.name} has no {split} facts to compare with")
    truth = Answers.of(facts, graph.n_e, graph.n_r)
    random = torch.Generator().manual_seed(seed)
    parts = [
        _chosen(part, top=top, sampled=sampled, random=random)
        for part in _parts(run, truth, Asker(run, graph.known_before(split)))
    ]
    columns = [torch.cat(column).numpy() for column in zip(*parts, strict=True)]
    return HeldOutAnswers(len(truth), *columns)


@dataclass(frozen=True, eq=False)
class _Part:
    relation: Tensor  # (rows,)
    closed: Tensor  # (rows,)
    odds: Tensor  # (rows, n_e) against the other candidates
    says: Tensor  # (rows, n_e) the model's own log-odds
    new: Tensor  # (rows, n_e) whether an entity is a candidate
    true: Tensor  # (rows, n_e)


def _parts(run: FinishedRun, truth: Answers, asker: Asker) -> Iterator[_Part]:
    parts = min(len(truth), -(-len(truth) * run.graph.n_e // _SCORES_AT_ONCE))
    for pairs in np.array_split(np.arange(len(truth)), parts):
        s, r = map(torch.from_numpy, (truth.subjects[pairs], truth.relations[pairs]))
        asked, scores, new = asker.ask(s, r)
        true = torch.zeros_like(new)
        true[tuple(map(torch.from_numpy, truth.take(pairs)))] = True
        odds, says = asker.evidence_of_all(scores, new)
        yield _Part(r, asked.closed, odds, says, new, true & new)


def _chosen(part: _Part, *, top: int, sampled: int, random: torch.Generator) -> tuple[Tensor, ...]:
    """Return the columns of `HeldOutAnswers` for what is chosen of a part."""
    rows, n_e = part.odds.shape
    odds = part.odds.masked_fill(~part.new, -torch.inf)
    best = best_of_rows(odds, top)
    place = torch.full((rows, n_e), n_e, dtype=torch.long)
    place.scatter_(1, best, torch.arange(best.shape[1]).expand(rows, -1))
    chosen = place < n_e
    if sampled:
        chosen |= part.true
    chosen &= part.new
    row, o = torch.nonzero(chosen, as_tuple=True)
    weight = torch.ones(len(row), dtype=torch.float64)
    if sampled:
        rest = (part.new & ~chosen).sum(1)  # (rows,)
        drawn = torch.randint(n_e, (rows, sampled), generator=random)
        kept = (part.new & ~chosen).gather(1, drawn)  # the others would count twice
        stands_for = (rest / kept.sum(1).clamp(min=1)).double()
        more, column = torch.nonzero(kept, as_tuple=True)
        row, o = torch.cat([row, more]), torch.cat([o, drawn[more, column]])
        weight = torch.cat([weight, stands_for[more]])
    true = part.true[row, o]
    shared = true & (part.true.sum(1) > 1)[row]
    of_question = part.relation[row], place[row, o], part.closed[row]
    return (*of_question, part.odds[row, o], part.says[row, o], true, shared, weight)


FACTS = 10  # that are looked at for each fact held out
_QUESTIONS = 20_000  # that are asked at most
_ENOUGH = 100  # validation facts among those found


@dataclass(frozen=True, eq=False)
class HeldOutFacts:
    """The facts that discovery finds best, and which of them a split has."""

    held_out: int  # how many facts of the split there were to find
    chances: npt.NDArray[np.float64]  # (n,) the lesser of both sides', the greatest first
    true: npt.NDArray[np.bool_]  # (n,) whether the split has the fact


def held_out_facts(run: FinishedRun, split: Split, *, seed: int = 0) -> HeldOutFacts:
    """Discover facts that the splits before one lack, and compare them with it.

    If there are too many subjects to ask about, some are drawn.
    """
    graph = run.graph
    search = Search(run, graph.known_before(split))
    questions = sum(len(search.kinds.entities_of(r)) for r in range(graph.n_r))
    only = np.random.default_rng(seed).random(graph.n_e) < _QUESTIONS / max(questions, 1)
    facts = graph.split(split)
    facts = facts[only[facts[:, 0]]]
    best = BestFacts(max(1, FACTS * len(facts)))
    for _ in search(range(graph.n_r), only, best):
        pass
    true = np.isin(graph.codes(best.facts.numpy()), graph.codes(facts))
    return HeldOutFacts(len(facts), best.chances.numpy(), true)


def fact_curve(run: FinishedRun, *, seed: int = 0) -> Isotonic | None:
    """Learn from validation facts how probable a fact is by the lesser chance of its two sides.

    None: too few of them are found to tell.
    """
    found = held_out_facts(run, "valid", seed=seed)
    if found.true.sum() < _ENOUGH:
        return None
    unseen = len(run.graph.test) / len(run.graph.valid)  # test facts for each validation fact
    outcomes = Outcomes(found.chances, found.true, found.true, np.ones(len(found.true)))
    counts = count(outcomes, unseen)
    curve = isotonic(replace(counts, false=counts.false + 1))  # few facts make nothing certain
    return curve and Isotonic((0.0, *curve.evidence), (0.0, *curve.chances))
