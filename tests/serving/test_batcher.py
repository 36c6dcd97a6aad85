from __future__ import annotations

import asyncio
import threading

import pytest

from tucker.errors import BusyError
from tucker.serving.batcher import Batcher


@pytest.fixture
def make():
    made = []

    def make(work, **options):
        made.append(Batcher(work, **({"most": 8, "waiting": 100} | options)))
        return made[-1]

    yield make
    for batcher in made:
        batcher.close()


def doubled(batch):
    return [2 * one for one in batch]


def test_questions_of_a_moment_go_together(make):
    sizes = []

    def work(batch):
        sizes.append(len(batch))
        return doubled(batch)

    batcher = make(work, moment=0.2)

    async def ask():
        return await asyncio.gather(*(batcher.ask([i, i + 100]) for i in range(4)))

    assert asyncio.run(ask()) == [[2 * i, 2 * i + 200] for i in range(4)]
    assert sizes == [8]


def test_a_long_line_is_cut_into_batches(make):
    batcher = make(doubled)
    assert asyncio.run(batcher.ask(list(range(50)))) == doubled(range(50))
    assert batcher.answered == 50
    assert batcher.batches >= 7


def test_a_fault_reaches_those_who_asked_and_no_others(make):
    def work(batch):
        if -1 in batch:
            raise ValueError("minus one")
        return doubled(batch)

    batcher = make(work)

    async def ask():
        with pytest.raises(ValueError, match="minus one"):
            await batcher.ask([-1])
        return await batcher.ask([1])

    assert asyncio.run(ask()) == [2]


def test_too_long_a_line_is_turned_away_and_the_impatient_are_forgotten(make):
    held, seen = threading.Event(), []

    def work(batch):
        held.wait(10)
        seen.extend(batch)
        return doubled(batch)

    batcher = make(work, most=1, waiting=3)

    async def ask():
        first = asyncio.create_task(batcher.ask([0]))
        while len(batcher) or not first:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)  # the thread holds the first one
        impatient = asyncio.create_task(batcher.ask([1, 2, 3]))
        await asyncio.sleep(0.01)
        with pytest.raises(BusyError):
            await batcher.ask([4])
        admitted = asyncio.create_task(batcher.ask([5], admitted=True))
        await asyncio.sleep(0.01)
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)
        held.set()
        return await first + await admitted

    assert asyncio.run(ask()) == [0, 10]
    batcher.close()
    assert seen == [0, 5]


def test_a_closed_one_says_so(make):
    batcher = make(doubled)
    batcher.close()
    with pytest.raises(BusyError):
        asyncio.run(batcher.ask([1]))
