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
    subject: Name | None = None
    relation: Name | None = None
    object: Name | None = None
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
    subject: Name
    relation: Name
    object: Name


class Why(Fact):
    """A fact whose reasons are wanted."""

    k: Annotated[
        int,
        Field(ge=1, le=20, description="How many facts, and how many paths."),
        BeforeValidator(_whole),
    ] = 5


class Facts(_Body):
    """Facts to be scored."""

    facts: Annotated[list[Fact], Field(min_length=1, max_length=MOST_FACTS)]


class Discovery(_Body):
    """A relation whose missing facts are wanted; without one, the whole graph."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"relation": "borders", "k": 20, "min_probability": 0.5}, {"k": 50}]
        }
    )
    relation: Name | None = None
    k: K = 100
    min_probability: Annotated[float, Field(ge=0, le=1)] = 0.0


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
    verdict: Verdict


Role = Literal["subject", "object"]


class Predicted(BaseModel):
    """A fact that the graph does not have, as the answer to a question."""

    subject: str
    relation: str
    object: str
    score: float | None
    probability: Annotated[
        float | None,
        Field(description="Of being right, given that the question has a missing answer."),
    ]
    rank: int
    labels: dict[str, str] = {}


class Discovered(Predicted):
    """A fact that the graph does not have, by itself."""

    probability: Annotated[
        float | None,
        Field(description="Of the fact by itself: the same from /api/score and /api/discover."),
    ]


class Scored(Discovered):
    """A fact by itself with its score, and whether the graph has it."""

    known: bool


class Underway(BaseModel):
    """How much of the whole graph has been looked through, 0 to 1."""

    done: float


class Explained(BaseModel):
    """Why a fact may hold: known facts like it, and paths whose pattern goes with its relation."""

    subject: str
    relation: str
    object: str
    score: float | None
    known: Literal["train", "valid", "test"] | None
    facts: list[dict[str, Any]]
    paths: list[dict[str, Any]]
    notes: list[str]
    labels: dict[str, str]  # of the names above


class Named(BaseModel):
    """A name with its label, where there is one."""

    name: str
    label: str | None


class Found(Named):
    """A name with how many facts mention it."""

    facts: int


class Near(Named):
    """An entity near another."""

    cosine: float | None
    rank: int


class KnownGroup(BaseModel):
    """The facts of an entity with one relation; long lists are cut, `facts` counts all."""

    relation: str
    label: str | None
    role: Role
    facts: int
    entities: list[Named]


class MissingGroup(BaseModel):
    """The most probable new facts of an entity with one relation."""

    relation: str
    label: str | None
    role: Role
    predictions: list[Predicted]


class Entity(Named):
    """An entity: what is known, and what is probably missing.

    Of the relations, each way round, that are worth asking for, the first are asked.
    """

    known: list[KnownGroup]
    missing: list[MissingGroup]
    asked: int
    worth_asking: int


class Bin(BaseModel):
    """The predictions whose probability lies from `low` to `high`."""

    low: float
    high: float
    predictions: int
    probability: float  # the mean that was said
    true: float  # the share that came true


class Worth(BaseModel):
    """What probabilities were worth on a split."""

    split: str
    k: int
    questions: int
    predictions: int
    true: float
    ece: float
    brier: float
    ece_of_first: float
    bins: list[Bin]


class Reliability(BaseModel):
    """What probabilities were worth on the test split (docs/understand/probabilities.md)."""

    test: Worth  # of answers to questions
    uncalibrated: Worth  # of the same, the model's own
    facts: Worth  # of facts by themselves


class RunCard(BaseModel):
    """What was trained on what, and how well."""

    graph: str
    entities: int
    relations: int
    facts: int
    parameters: int
    calibration: Method | None  # how probabilities were learned; null if they are the model's own
    facts_calibrated: bool  # whether the probabilities of facts by themselves were fitted, too
    reliability: Reliability | None  # null if nothing was measured when the run was calibrated
    config: dict[str, Any]
    metrics: dict[str, Any]
    journal: list[dict[str, Any]]


class Health(BaseModel):
    """That the server is there."""

    status: Literal["ok"]
    version: str


class Decided(BaseModel):
    """A decision as it was kept."""

    id: int
    subject: str
    relation: str
    object: str
    verdict: Verdict
    probability: float | None
    decided_at: str


class Problem(BaseModel):
    """Why a request cannot be met."""

    detail: str
    nearest: list[str] = []
    errors: list[dict[str, Any]] = []
