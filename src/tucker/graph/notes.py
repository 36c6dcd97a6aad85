"""What loading a graph merged, kept or found odd, a sentence each; none where there is nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tucker.graph.encode import common
from tucker.graph.graph import Ids, Split


def merged_note(where: str, repeated: int) -> list[str]:
    """Tell of facts that stand more than once in one split."""
    return [f"Merged {_count(repeated, 'repeated triple')} of {where}."] if repeated else []


def overlap_notes(splits: Mapping[Split, Ids]) -> list[str]:
    """Tell of held-out facts that training sees: they make the results look too good."""
    notes = []
    for split in ("valid", "test"):
        if shared := common(splits[split], splits["train"]):
            stand = "is" if shared == 1 else "are"
            notes.append(
                f"Warning: {_count(shared, 'triple')} of {split} {stand} also in train "
                f"and kept in both."
            )
    return notes


def unseen_note(splits: Mapping[Split, Ids], n_e: int) -> list[str]:
    """Tell of entities that train never mentions: a model knows nothing of them."""
    seen = np.zeros(n_e, dtype=np.bool_)
    seen[splits["train"][:, [0, 2]]] = True
    unseen = int((~seen).sum())
    kept = _count(unseen, "entity", "entities")
    return [f"Kept {kept} of valid or test that train never mentions."] if unseen else []


def held_out_note(count: int, held: int, valid: float, test: float) -> list[str]:
    """Tell of a graph too sparse to hold out as many facts as were asked for."""
    wanted = round(count * valid) + round(count * test)
    if held >= wanted:
        return []
    return [
        f"Held out {_count(held, 'triple')} where {wanted:,} were asked for: each of the others "
        f"is the first to mention an entity or a relation."
    ]


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
