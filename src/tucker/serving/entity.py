"""An entity: what is known of it, and what is probably missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tucker.graph import Vocabulary
from tucker.graph.schema.types import Kinds
from tucker.prediction import Prediction
from tucker.prediction.asker import Asker
from tucker.serving.questions import Row

_MOST_RELATIONS = 64  # asked for one entity
_MOST_KNOWN = 50  # facts of one relation that are listed; all of them are counted


@dataclass(frozen=True, eq=False)
class EntityViews:
    """Puts together what there is to say of an entity."""

    asker: Asker
    kinds: Kinds

    def known(self, entity: int) -> list[dict[str, Any]]:
        """Return the facts of all splits by relation, and whether it is their subject or object."""
        graph = self.asker.run.graph
        r = np.arange(2 * graph.n_r)
        relations, others = self.asker.known.find(np.full_like(r, entity), r)
        groups = []
        for relation in np.unique(relations).tolist():
            answers = others[relations == relation].tolist()
            group = self._relation(relation) | {"facts": len(answers)}
            group["entities"] = [named(graph.entities, id) for id in answers[:_MOST_KNOWN]]
            groups.append(group)
        return groups

    def questions(self, entity: int, k: int) -> tuple[list[Row], int]:
        """Return what is asked of an entity, and how many questions are worth asking."""
        relations = self.kinds.roles_of(entity).tolist()
        return [Row(entity, relation, k) for relation in relations[:_MOST_RELATIONS]], len(
            relations
        )

    def missing(self, rows: list[Row], answers: list[list[Prediction]]) -> list[dict[str, Any]]:
        """Return the new facts by relation, the relation with the most probable one first."""
        groups = [
            self._relation(row.r) | {"predictions": [one.as_dict() for one in found]}
            for row, found in zip(rows, answers, strict=True)
            if found
        ]
        return sorted(groups, key=lambda group: -group["predictions"][0]["probability"])

    def _relation(self, relation: int) -> dict[str, Any]:
        graph = self.asker.run.graph
        role = "subject" if relation < graph.n_r else "object"
        names = named(graph.relations, relation % graph.n_r)
        return {"relation": names["name"], "label": names["label"], "role": role}


def named(vocabulary: Vocabulary, id: int) -> dict[str, Any]:
    """Return the name and the label, or null, of an id."""
    return {"name": vocabulary.name(id), "label": vocabulary.label(id)}
