"""Routes that keep what people decide."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from starlette.exceptions import HTTPException

from tucker.prediction.export import Annotation, facts_table, write_facts_to
from tucker.serving.context import Context, InContext, problems
from tucker.serving.decisions import Decisions
from tucker.serving.limits import MOST_TEXT
from tucker.serving.schemas import Decided, Decision, Fact, Verdict

router = APIRouter(prefix="/api/decisions", tags=["decide"], responses=problems(404))

_MEDIA_TYPES = {"tsv": "text/tab-separated-values", "nt": "application/n-triples"}


@router.get("", response_model=list[Decided])
async def current(
    context: InContext,
    entity: Annotated[
        str | None, Query(max_length=MOST_TEXT, description="Only about facts of this entity.")
    ] = None,
    verdict: Annotated[Verdict | None, Query(description="Only decisions of this kind.")] = None,
    limit: Annotated[int, Query(ge=1, le=10_000, description="The most decisions to give.")] = 1000,
    before: Annotated[
        int | None,
        Query(ge=1, le=2**63 - 1, description="Only decisions with a lesser id: the next page."),
    ] = None,
) -> list[dict[str, Any]]:
    """List the decisions that stand, the newest first: none that was undone or replaced."""
    return await context.on_disk(
        lambda kept: kept.current(entity=entity, verdict=verdict, most=limit, before=before)
    )


@router.post("", response_model=Decided, status_code=201, responses=problems(409))
async def decide(decision: Decision, context: InContext) -> dict[str, Any]:
    """Accept or reject a new fact; the answer comes when it is safe on the disk.

    The fact's probability by itself, the same as /api/score gives it, is kept with the decision.
    """
    names = await _names(decision, context)
    (scored,) = await context.engine.score([names])
    if scored["known"]:
        raise HTTPException(409, "the graph has this fact already: there is nothing to decide")
    return await context.on_disk(
        lambda kept: kept.add(*names, decision.verdict, scored["probability"])
    )


@router.post("/undo", response_model=Decided)
async def undo(fact: Fact, context: InContext) -> dict[str, Any]:
    """Take back the decision about a fact."""
    names = await _names(fact, context)
    undone = await context.on_disk(lambda kept: kept.undo(*names))
    if undone is None:
        raise HTTPException(404, "nothing was decided about this fact")
    return undone


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in _MEDIA_TYPES.values()}}},
)
async def export(
    context: InContext,
    format: Annotated[Literal["tsv", "nt"], Query(description="TSV or N-Triples.")] = "tsv",
    verdict: Annotated[Verdict, Query(description="Which facts.")] = "accepted",
    annotation: Annotated[
        Annotation, Query(description="How N-Triples hold a probability, as in `tucker export`.")
    ] = "star",
) -> Response:
    """Give the accepted facts, or the rejected ones, as a file with their probabilities."""

    def written(kept: Decisions) -> bytes:
        file = BytesIO()
        table = facts_table(kept.current(verdict=verdict)[::-1])
        write_facts_to(file, table, format, annotation=annotation)
        return file.getvalue()

    headers = {"Content-Disposition": f'attachment; filename="{verdict}.{format}"'}
    content = await context.on_disk(written)
    return Response(content, media_type=_MEDIA_TYPES[format], headers=headers)


async def _names(fact: Fact, context: Context) -> tuple[str, str, str]:
    """Return the names of a fact that may have been given by labels."""
    engine = context.engine
    graph = engine.run.graph
    return (
        graph.entities.name(await engine.id("entity", fact.subject)),
        graph.relations.name(await engine.id("relation", fact.relation)),
        graph.entities.name(await engine.id("entity", fact.object)),
    )
