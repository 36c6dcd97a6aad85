"""The header of a table of facts: which column is the subject, the relation, the object."""

from __future__ import annotations

from collections.abc import Sequence

COLUMNS = ("subject", "relation", "object")

# The usual names of each column; of two in one header the one that stands first here is taken.
_USUAL = {
    "subject": (
        *("subject", "subj", "head", "s", "h", "from", "source", "src"),
        *("subject_id", "head_id", "source_id", "head_entity", "start", "start_id"),
    ),
    "relation": (
        *("relation", "predicate", "property", "rel", "pred", "r", "p"),
        *("relation_id", "predicate_id", "property_id", "relation_type", "predicate_type"),
        *("relationship", "edge", "edge_type", "type", "link", "label"),
    ),
    "object": (
        *("object", "obj", "tail", "target", "o", "t", "to", "dst", "dest", "destination"),
        *("object_id", "tail_id", "target_id", "tail_entity", "end", "end_id"),
    ),
}


def find_columns(names: Sequence[str]) -> list[int] | None:
    """Return where subject, relation and object stand in a header, or None if it is not one."""
    folded = [name.strip().casefold() for name in names]
    places = []
    for column in COLUMNS:
        usual = [name for name in _USUAL[column] if name in folded]
        if not usual:
            return None
        places.append(folded.index(usual[0]))
    return places
