"""What the API takes, with examples."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

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
