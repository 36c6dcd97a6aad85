"""What the API gives."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from tucker.runs.calibration import Method
from tucker.serving.bodies import Verdict

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
    """What probabilities were worth on the test split: docs/probabilities.md says of what."""

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
