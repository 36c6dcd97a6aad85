"""A run behind the event loop: every piece of work goes to the thread that it belongs to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import torch

from tucker.errors import BusyError
from tucker.graph import Vocabulary
from tucker.graph.schema.types import Kinds
from tucker.prediction import Explainer, Neighbours, Prediction, discover, predict
from tucker.prediction.asker import Answered, Asker, Judged
from tucker.runs import FinishedRun
from tucker.serving.batcher import Batcher
from tucker.serving.entity import EntityViews, named
from tucker.serving.limits import Limits
from tucker.serving.name_search import Kind, NameIndex
from tucker.serving.questions import Reply, Row, RowScorer
from tucker.serving.survey import Survey

Result = TypeVar("Result")

_FEW = 16  # rows of facts that are asked as one question is
_SCORES_TOGETHER = 4  # requests for more; each has one part in line, half of the line in all


class Engine:
    """Answers for the API: questions in batches, look-ups on one thread, discovery on another.

    Discovery runs on one core and at low priority, so that it never holds up a question. That of
    the whole graph, the survey, waits for those of a relation.
    """

    def __init__(self, run: FinishedRun, limits: Limits) -> None:
        self.run = run
        self.limits = limits
        self._asker = Asker(run)
        self._scorer = RowScorer(self._asker)
        self._scorer([Row(0, 0, k=1)])  # the first product of a process is slow
        self._views = EntityViews(self._asker, Kinds(run.graph))
        self._indices = {kind: NameIndex.of(run.graph, kind) for kind in ("entity", "relation")}
        self._discoveries = 0
        self._scores = 0
        self._scoring = asyncio.Semaphore(_SCORES_TOGETHER)
        self.batcher: Batcher[Row, Reply] = Batcher(
            self._scorer, most=self._scorer.most, waiting=limits.waiting
        )
        self._explainer = Explainer(run)
        self._neighbours = Neighbours(run)
        self._look_ups = ThreadPoolExecutor(1, "look-ups")
        self._reasons = ThreadPoolExecutor(1, "reasons", initializer=_step_back)
        self._slow = ThreadPoolExecutor(1, "discovery", initializer=_step_back)
        self.survey = Survey(
            run,
            seconds=limits.discovery_seconds,
            busy=lambda: self._discoveries > 0,
            initializer=_step_back,
        )

    def close(self) -> None:
        """Finish what was asked and end the threads; the survey is left undone."""
        self.survey.close()
        self.batcher.close()
        self._look_ups.shutdown(cancel_futures=True)
        self._reasons.shutdown(cancel_futures=True)
        self._slow.shutdown(cancel_futures=True)

    async def predict(
        self, subject: str | None, relation: str | None, object: str | None, k: int
    ) -> list[Prediction]:
        """Return the k best new answers to a question with two of three names."""
        if relation is None:
            return await self._look_up(
                lambda: predict(self.run, subject=subject, object=object, k=k, asker=self._asker)
            )
        r = await self.id("relation", relation)
        if subject is not None:
            row = Row(await self.id("entity", subject), r, k)
        else:
            assert object is not None
            row = Row(await self.id("entity", object), r + self.run.graph.n_r, k)
        return (await self.batcher.ask([row]))[0].predictions

    async def score(self, facts: Sequence[tuple[str, str, str]]) -> list[dict[str, Any]]:
        """Return the score and the probability of each fact, and whether the graph has it.

        A fact is asked for from both sides; its probability follows from the lesser chance.
        """
        n_r = self.run.graph.n_r
        ids = [await self._ids(*fact) for fact in facts]
        rows = [row for s, r, o in ids for row in (Row(s, r, o=o), Row(o, r + n_r, o=s))]
        found = await (self.batcher.ask(rows) if len(rows) <= _FEW else self._in_parts(rows))
        sides = [Answered.join([one.answered for one in found[side::2]]) for side in (0, 1)]
        judged = Judged.of_sides(self.run, *sides)
        scored = Prediction.ranked(
            self.run.graph, ids, judged.scores, judged.chances, judged.ranks()
        )
        return [
            fact.as_dict() | {"known": self._knows(*one)}
            for fact, one in zip(scored, ids, strict=True)
        ]

    async def _in_parts(self, rows: list[Row]) -> list[Reply]:
        """Answer many rows, which leave room in the line for others; once admitted, all of them."""
        if self._scores >= self.limits.scores:
            raise BusyError("many other facts are being scored; ask again later")
        self._scores += 1
        part = max(1, self.limits.waiting // (2 * _SCORES_TOGETHER))
        found: list[Reply] = []
        try:
            async with self._scoring:
                for start in range(0, len(rows), part):
                    found += await self.batcher.ask(rows[start : start + part], admitted=True)
        finally:
            self._scores -= 1
        return found

    async def discover(self, relation: str, k: int, least: float) -> list[Prediction]:
        """Return the most probable new facts of a relation; one such search runs at a time."""
        await self.id("relation", relation)
        if self._discoveries >= self.limits.discoveries:
            raise BusyError("other discoveries are running; ask again later")
        self._discoveries += 1
        given_up = threading.Event()

        def go_on(_: float) -> None:
            if given_up.is_set():
                raise BusyError("nobody waits for this discovery any more")

        work = asyncio.get_running_loop().run_in_executor(
            self._slow,
            lambda: discover(self.run, relation, k=k, min_probability=least, report=go_on),
        )
        work.add_done_callback(self._discovered)
        try:
            return await asyncio.shield(work)
        finally:
            given_up.set()

    async def explain(self, subject: str, relation: str, object: str, k: int) -> dict[str, Any]:
        """Return the reasons of a fact, with the labels of what they name."""
        await self._ids(subject, relation, object)
        loop = asyncio.get_running_loop()
        explanation = await loop.run_in_executor(
            self._reasons, lambda: self._explainer.explain(subject, relation, object, k=k)
        )
        return {"labels": {}} | explanation.as_dict()

    async def entity(self, name: str, k: int) -> dict[str, Any]:
        """Return what is known of an entity and what is probably missing."""
        id = await self.id("entity", name)
        known = await self._look_up(lambda: self._views.known(id))
        rows, worth_asking = await self._look_up(lambda: self._views.questions(id, k))
        answers = await self.batcher.ask(rows)
        about = named(self.run.graph.entities, id)
        missing = self._views.missing(rows, [answer.predictions for answer in answers])
        counts = {"asked": len(rows), "worth_asking": worth_asking}
        return about | {"known": known, "missing": missing} | counts

    async def neighbours(self, name: str, k: int) -> list[dict[str, Any]]:
        """Return the entities nearest to one."""
        await self.id("entity", name)
        found = await self._look_up(lambda: self._neighbours.find(name, k))
        return [{"label": None} | one.as_dict() for one in found]

    async def search(self, text: str, kind: Kind, limit: int) -> list[dict[str, Any]]:
        """Return names and labels that contain a text."""
        return await self._look_up(lambda: self._indices[kind].search(text, limit))

    def relations(self) -> list[dict[str, Any]]:
        """Return every relation with how many facts it has."""
        graph = self.run.graph
        facts = np.bincount(graph.known[:, 1], minlength=graph.n_r).tolist()
        return [named(graph.relations, r) | {"facts": facts[r]} for r in range(graph.n_r)]

    async def id(self, kind: Kind, text: str) -> int:
        """Return the id of a name or label; hints for an unknown one take a moment to find."""
        vocabulary = self._vocabulary(kind)
        found = vocabulary.find(text)
        return await self._look_up(lambda: vocabulary.id(text)) if found is None else found

    async def _ids(self, s: str, r: str, o: str) -> tuple[int, int, int]:
        subject, relation = await self.id("entity", s), await self.id("relation", r)
        return subject, relation, await self.id("entity", o)

    def _vocabulary(self, kind: Kind) -> Vocabulary:
        return self.run.graph.entities if kind == "entity" else self.run.graph.relations

    def _knows(self, s: int, r: int, o: int) -> bool:
        _, objects = self._asker.known.find(np.array([s]), np.array([r]))
        return bool((objects == o).any())

    async def _look_up(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._look_ups, work)

    def _discovered(self, work: asyncio.Future[list[Prediction]]) -> None:
        self._discoveries -= 1
        if not work.cancelled():
            work.exception()  # whoever asked may have gone


def _step_back() -> None:
    """Keep this thread to one core, and behind the others where the system can do that."""
    torch.set_num_threads(1)
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
