from __future__ import annotations

import pytest

from tucker.pipeline.recipe import Recipe


@pytest.fixture
def recipe() -> Recipe:
    """A tiny model without dropout, to compare both forms of it."""
    none = {f"dropout_{place}": 0.0 for place in ("subject", "relation", "query")}
    training = {"batch_size": 500, "label_smoothing": 0.1, "learning_rate": 0.01}
    return Recipe(graph="drawn", model={"d_e": 7, "d_r": 4, **none}, training=training)
