"""What the API takes, with examples."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

from tucker.runs.chance_curves import Method
from tucker.serving.limits import MOST_ANSWERS, MOST_FACTS, MOST_TEXT

Name = Annotated[str, StringConstraints(min_length=1, max_length=MOST_TEXT)]


def _whole(value: object) -> object:
    """Take 5.0 for 5, as JSON Schema does."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


K = Annotated[
    int,
    Field(ge=1, le=MOST_ANSWERS, description="How many answers."),
    BeforeValidator(_whole),
]
Verdict = Literal["accepted", "rejected"]

_PARTS = ("subject", "relation", "object")
_TWO_OF_THREE: list[JsonValue] = [
    {
        "required": [part for part in _PARTS if part != asked],
        "properties": {part: {"type": "null" if part == asked else "string"} for part in _PARTS},
    }
    for asked in _PARTS
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Question(_Body):
    """Two of a fact's three names or labels; the third is asked for."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": _TWO_OF_THREE,
            "examples": [{"subject": "Norway", "relation": "borders", "k": 5}],
        }
    )
    subject: Name | None = Field(None, description="The subject, unless it is asked for.")
    relation: Name | None = Field(None, description="The relation, unless it is asked for.")
    object: Name | None = Field(None, description="The object, unless it is asked for.")
    k: K = 10

    @model_validator(mode="after")
    def _two_are_given(self) -> Question:
        if [self.subject, self.relation, self.object].count(None) != 1:
            raise ValueError("give two of subject, relation and object")
        return self


class Fact(_Body):
    """A fact by names or labels."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"subject": "Norway", "relation": "borders", "object": "Sweden"}]
        }
    )
    subject: Name = Field(description="The name or label of the subject.")
    relation: Name = Field(description="The name or label of the relation.")
    object: Name = Field(description="The name or label of the object.")


class Why(Fact):
    """A fact whose reasons are wanted."""

    k: Annotated[
        int,
        Field(ge=1, le=20, description="How many known facts to give, and how many paths."),
        BeforeValidator(_whole),
    ] = 5


class FactList(_Body):
    """Facts to be scored."""

    facts: Annotated[
        list[Fact],
        Field(min_length=1, max_length=MOST_FACTS, description=f"At most {MOST_FACTS:,} facts."),
    ]


class Discovery(_Body):
    """A relation whose missing facts are wanted; without one, the whole graph."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"relation": "borders", "k": 20, "min_probability": 0.5}, {"k": 50}]
        }
    )
    relation: Name | None = Field(None, description="Only facts of this relation.")
    k: K = 100
    min_probability: Annotated[
        float, Field(ge=0, le=1, description="Only facts that are at least as probable.")
    ] = 0.0


class Decision(Fact):
    """What someone thinks of a predicted fact."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "subject": "Norway",
                    "relation": "borders",
                    "object": "Denmark",
                    "verdict": "rejected",
                }
            ]
        }
    )
    verdict: Verdict = Field(description="What you think of the fact.")


Role = Literal["subject", "object"]


class Predicted(BaseModel):
    """A fact that the graph does not have, as the answer to a question."""

    subject: str = Field(description="The name of the subject.")
    relation: str = Field(description="The name of the relation.")
    object: str = Field(description="The name of the object.")
    score: float | None = Field(description="The score φ of the fact.")
    probability: Annotated[
        float | None,
        Field(description="Of being right, given that the question has a missing answer."),
    ]
    rank: int = Field(description="Its place among the answers, from 1.")
    labels: dict[str, str] = Field({}, description="The labels of the names that have one.")


class Discovered(Predicted):
    """A fact that the graph does not have, by itself."""

    probability: Annotated[
        float | None,
        Field(description="Of the fact by itself: the same from /api/score and /api/discover."),
    ]


class ScoredFact(Discovered):
    """A fact by itself with its score, and whether the graph has it."""

    known: bool = Field(description="Whether the graph has the fact.")


class Underway(BaseModel):
    """How much of the whole graph has been looked through, 0 to 1."""

    done: float = Field(description="The share that is done.")


class Explained(BaseModel):
    """Why a fact may hold: known facts like it, and paths whose pattern goes with its relation."""

    subject: str = Field(description="The name of the subject.")
    relation: str = Field(description="The name of the relation.")
    object: str = Field(description="The name of the object.")
    score: float | None = Field(description="The score φ of the fact.")
    known: Literal["train", "valid", "test"] | None = Field(
        description="The split that has the fact, or null if it is new."
    )
    facts: list[dict[str, Any]] = Field(description="The known facts that are most like it.")
    paths: list[dict[str, Any]] = Field(description="The paths between its subject and object.")
    notes: list[str] = Field(description="What was counted only in part.")
    labels: dict[str, str] = Field(description="The labels of all names above that have one.")


class Named(BaseModel):
    """A name with its label, where there is one."""

    name: str = Field(description="The name.")
    label: str | None = Field(description="The label, or null where there is none.")


class FoundName(Named):
    """A name with how many facts mention it."""

    facts: int = Field(description="How many facts mention it.")


class Near(Named):
    """An entity near another."""

    cosine: float | None = Field(description="The cosine of the two embeddings.")
    rank: int = Field(description="Its place among the nearest, from 1.")


class KnownGroup(BaseModel):
    """The facts of an entity with one relation; long lists are cut, `facts` counts all."""

    relation: str = Field(description="The name of the relation.")
    label: str | None = Field(description="The label of the relation.")
    role: Role = Field(description="What the entity is in these facts.")
    facts: int = Field(description="How many facts there are.")
    entities: list[Named] = Field(description="What stands on the other side of them.")


class MissingGroup(BaseModel):
    """The most probable new facts of an entity with one relation."""

    relation: str = Field(description="The name of the relation.")
    label: str | None = Field(description="The label of the relation.")
    role: Role = Field(description="What the entity is in these facts.")
    predictions: list[Predicted] = Field(description="The facts, the most probable first.")


class Entity(Named):
    """An entity: what is known of it, and what is probably missing."""

    known: list[KnownGroup] = Field(description="The known facts, by relation.")
    missing: list[MissingGroup] = Field(description="The new facts, by relation.")
    asked: int = Field(description="How many relations were asked for, each way round.")
    worth_asking: int = Field(description="How many relations fit the entity, each way round.")


class ReliabilityBin(BaseModel):
    """The predictions whose probability lies from `low` to `high`."""

    low: float = Field(description="Where the interval begins.")
    high: float = Field(description="Where the interval ends.")
    predictions: int = Field(description="How many predictions there are.")
    probability: float = Field(description="Their mean probability.")
    true: float = Field(description="The share of them that the split confirms.")


class Worth(BaseModel):
    """What probabilities were worth on a split."""

    split: str = Field(description="The split.")
    k: int = Field(description="How many predictions of each question were looked at.")
    questions: int = Field(description="How many questions, or facts, the split has.")
    predictions: int = Field(description="How many predictions were looked at.")
    true: float = Field(description="The share of the predictions that the split confirms.")
    ece: float = Field(description="The expected calibration error.")
    brier: float = Field(description="The Brier score.")
    ece_of_first: float = Field(description="The expected calibration error of the first of k.")
    bins: list[ReliabilityBin] = Field(description="The predictions by their probability.")


class ReliabilityReport(BaseModel):
    """What probabilities were worth on the test split."""

    test: Worth = Field(description="Those of answers to questions.")
    uncalibrated: Worth = Field(description="The model's own, of the same answers.")
    facts: Worth = Field(description="Those of facts by themselves.")


class RunCard(BaseModel):
    """What was trained on what, and how well."""

    graph: str = Field(description="The name of the graph.")
    entities: int = Field(description="How many entities the graph has.")
    relations: int = Field(description="How many relations the graph has.")
    facts: int = Field(description="How many facts the graph has, in all splits.")
    parameters: int = Field(description="How many parameters the model has.")
    calibration: Method | None = Field(
        description="How probabilities were calibrated, or null if they are the model's own."
    )
    facts_calibrated: bool = Field(
        description="Whether the probabilities of facts by themselves were calibrated, too."
    )
    reliability: ReliabilityReport | None = Field(
        description="What probabilities were worth, or null if that was not measured."
    )
    config: dict[str, Any] = Field(description="The full recipe.")
    metrics: dict[str, Any] = Field(description="The metrics taken after training.")
    journal: list[dict[str, Any]] = Field(description="What happened in each epoch.")


class Health(BaseModel):
    """That the server is there."""

    status: Literal["ok"] = Field(description="Always ok.")
    version: str = Field(description="The version of Tucker.")


class Decided(BaseModel):
    """A decision as it was kept."""

    id: int = Field(description="The number of the decision; later ones have greater numbers.")
    subject: str = Field(description="The name of the subject.")
    relation: str = Field(description="The name of the relation.")
    object: str = Field(description="The name of the object.")
    verdict: Verdict = Field(description="What was decided.")
    probability: float | None = Field(description="The fact's probability when it was decided.")
    decided_at: str = Field(description="When it was decided, in UTC.")


class Problem(BaseModel):
    """Why a request cannot be met."""

    detail: str = Field(description="One sentence that says why.")
    nearest: list[str] = Field([], description="Names like the one that was not found.")
    errors: list[dict[str, Any]] = Field([], description="What is wrong where in the request.")
