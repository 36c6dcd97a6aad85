"""What each setting of a learner along paths means, a sentence each; models' are in theirs."""

from __future__ import annotations

REASONER_SETTINGS: dict[str, str] = {
    "d": "The width of the vectors that the path network passes along.",
    "steps": "How many edges the path network goes from the subject of a question.",
    "most_entities": "From how many entities a question goes on after each step of the path "
    "network: those that a learned priority puts first. None: from all.",
    "dropout": "Dropout of what an entity hears in a step of the path network.",
}
