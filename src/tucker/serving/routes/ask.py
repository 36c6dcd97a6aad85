"""Routes that ask the model."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse

from tucker.serving.context import InContext, problems
from tucker.serving.limits import MOST_ANSWERS, MOST_TEXT
from tucker.serving.schemas import (
    Discovered,
    Discovery,
    Entity,
    Explained,
    FactList,
    Near,
    Predicted,
    Question,
    ScoredFact,
    Underway,
    Why,
)

router = APIRouter(prefix="/api", tags=["ask"], responses=problems(404))

EntityName = Annotated[
    str,
    Query(
        min_length=1, max_length=MOST_TEXT, description="A name or a label.", examples=["Norway"]
    ),
]


@router.post("/predict", response_model=list[Predicted], response_model_exclude_unset=True)
async def predict(question: Question, context: InContext) -> list[dict[str, Any]]:
    """Answer a question that gives two of subject, relation and object with new facts.

    The probability of an answer is that of being right, given that the question has a missing one.
    """
    found = await context.engine.predict(
        question.subject, question.relation, question.object, question.k
    )
    return [one.as_dict() for one in found]


@router.post("/score", response_model=list[ScoredFact], response_model_exclude_unset=True)
async def score(facts: FactList, context: InContext) -> list[dict[str, Any]]:
    """Score facts, known or new; the probability is the fact's by itself."""
    return await context.engine.score(
        [(one.subject, one.relation, one.object) for one in facts.facts]
    )


@router.post(
    "/discover",
    response_model=list[Discovered],
    response_model_exclude_unset=True,
    responses={202: {"model": Underway, "description": "Not found yet: ask again later."}},
)
async def discover(wanted: Discovery, context: InContext) -> list[dict[str, Any]] | Response:
    """Find the most probable missing facts of a relation, over all plausible subjects.

    The probability is the fact's by itself, the same as /api/score gives it. The facts of the whole
    graph, wanted without a relation, are looked for once, in the background: 202 tells how far that
    is.
    """
    engine = context.engine
    if wanted.relation is not None:
        found = await engine.discover(wanted.relation, wanted.k, wanted.min_probability)
        return [one.as_dict() for one in found]
    best = await engine.survey.ask()
    if best is None:
        return JSONResponse({"done": engine.survey.done}, 202, {"Retry-After": "1"})
    return [one.as_dict() for one in best[: wanted.k] if one.probability >= wanted.min_probability]


@router.get("/neighbours", response_model=list[Near])
async def neighbours(
    name: EntityName,
    context: InContext,
    k: Annotated[int, Query(ge=1, le=MOST_ANSWERS, description="How many entities.")] = 10,
) -> list[dict[str, Any]]:
    """Give the entities whose embeddings are nearest to one."""
    return await context.engine.neighbours(name, k)


@router.post("/explain", response_model=Explained)
async def explain(wanted: Why, context: InContext) -> dict[str, Any]:
    """Give the known facts most like a fact, and the paths whose pattern goes with its relation."""
    return await context.engine.explain(wanted.subject, wanted.relation, wanted.object, wanted.k)


@router.get("/entity", response_model=Entity)
async def entity(
    name: EntityName,
    context: InContext,
    k: Annotated[int, Query(ge=1, le=50, description="How many new facts of each relation.")] = 5,
) -> dict[str, Any]:
    """Tell what is known of an entity and what is probably missing, by relation."""
    return await context.engine.entity(name, k)
