from __future__ import annotations

from tests.pipeline.conftest import graph, shipped

__all__ = ["graph", "shipped"]
