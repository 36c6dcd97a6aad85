"""Routes that look things up: names, relations, the run, the server itself."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

from tucker.serving.context import InContext, problems
from tucker.serving.limits import MOST_TEXT
from tucker.serving.name_search import Kind
from tucker.serving.schemas import FoundName, Health, RunCard

router = APIRouter(tags=["look up"], responses=problems())


@router.get("/api/search", response_model=list[FoundName])
async def search(
    context: InContext,
    q: Annotated[
        str, Query(max_length=MOST_TEXT, description="The text to look for.", examples=["norw"])
    ] = "",
    kind: Annotated[Kind, Query(description="What kind of names to look for.")] = "entity",
    limit: Annotated[int, Query(ge=1, le=100, description="The most names to give.")] = 10,
) -> list[dict[str, Any]]:
    """Find names and labels that contain a text, the likeliest first."""
    return await context.engine.search(q, kind, limit)


@router.get("/api/relations", response_model=list[FoundName])
async def relations(context: InContext) -> list[dict[str, Any]]:
    """List the relations with how many facts each has."""
    return context.engine.relations()


@router.get("/api/run", response_model=RunCard)
async def run_card(context: InContext) -> dict[str, Any]:
    """Tell what was trained on what: settings, metrics, each epoch, the worth of probabilities."""
    run = context.engine.run
    return {
        "graph": run.graph.name,
        "entities": run.graph.n_e,
        "relations": run.graph.n_r,
        "facts": len(run.graph.known),
        "parameters": run.model.count_parameters(),
        "calibration": run.calibration.method if run.calibration else None,
        "facts_calibrated": bool(run.calibration and run.calibration.facts),
        "reliability": run.calibration.reliability if run.calibration else None,
        "config": run.config,
        "metrics": run.metrics,
        "journal": run.journal,
    }


@router.get("/api/health", response_model=Health)
async def health() -> dict[str, str]:
    """Say that the server is there."""
    return {"status": "ok", "version": version("tucker")}


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(context: InContext) -> PlainTextResponse:
    """Give the server's counts to Prometheus."""
    batcher = context.engine.batcher
    text = context.counters.text(
        {
            "tucker_batches_total": ("counter", "Products computed.", batcher.batches),
            "tucker_rows_total": ("counter", "Questions in those products.", batcher.answered),
            "tucker_waiting": ("gauge", "Questions waiting for a product.", len(batcher)),
        }
    )
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")
