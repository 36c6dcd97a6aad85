"""How a model is trained: every key of a recipe's `training` section."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from tucker.training.precision import Products


class TrainingSettings(BaseModel):
    """Settings of the loss, the optimiser and the loop."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    epochs: int = Field(200, ge=1, description="most passes over all (subject, relation) pairs")
    batch_size: int = Field(128, ge=2, description="pairs a step")
    group_size: int = Field(
        16, ge=1, description="pairs of one relation that share a relation matrix and its dropout"
    )
    implied: float = Field(
        0.0,
        ge=0,
        le=1,
        description="from .5 to 1: learn what follows as well. A relation implies another, or its "
        "reciprocal, if at least this share of its facts, and ten, hold with that too; 0: don't",
    )
    loss: Literal["bernoulli", "softmax"] = Field(
        "bernoulli", description="the paper's Bernoulli loss, or a softmax over all entities"
    )
    label_smoothing: float = Field(0.0, ge=0, lt=1, description="ε of the smoothed labels")
    smoothing_convention: Literal["authors", "textbook"] = Field(
        "authors",
        description="add 1/n_e to (1-ε)y as the authors' code does, or ε/n_e as textbooks do "
        "(the softmax loss is always textbook)",
    )
    answer_weight: float = Field(
        0.0, ge=0, le=1, description="α: a pair counts (what its answers count together)^α"
    )
    degree_weight: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="β: an answer counts 1 − β + β · (the facts it is learned from / most of an "
        "entity) in the place of 1 (softmax loss with an answer_weight only)",
    )
    most_answers: int = Field(
        0,
        ge=0,
        description="answers that a pair may have in a step; one with more is visited in parts, "
        "each counting as a pair (softmax loss only); 0: any number",
    )
    candidates: int = Field(
        0,
        ge=0,
        description="entities drawn a step to score against, besides the batch's answers; 0: all",
    )
    exact_epochs: int = Field(
        0, ge=0, description="last epochs that score against all entities in any case"
    )
    products: Products = Field(
        "float32",
        description="what the loss's products with the entities are formed of: bfloat16 takes half "
        "the time where the processor multiplies it itself; elsewhere float32 is used",
    )
    ensemble: int = Field(
        0,
        ge=0,
        description="parts of equal blocks that are fitted on their own, whose sum is ranked; "
        "0: no parts",
    )
    regulariser: Literal["none", "f2", "n3", "dura"] = Field(
        "none", description="penalty on the embeddings of a batch's facts"
    )
    regulariser_weight: float = Field(
        0.0, ge=0, validate_default=True, description="λ of the penalty"
    )
    regulariser_fall: float = Field(
        0.0,
        ge=0,
        description="p: the penalty counts λ · (1 − t)^p, t being the share of all epochs that is "
        "done; 0: λ throughout",
    )
    relation_weight: float = Field(
        0.0, ge=0, description="weight of predicting the relation from subject and object"
    )
    helper_facts: int = Field(
        128, ge=1, description="facts of a batch that penalty and relation prediction look at"
    )
    optimiser: Literal["adam", "adagrad"] = Field("adam", description="how gradients become steps")
    learning_rate: float = Field(0.001, gt=0, description="the step size in the first epoch")
    decay: float = Field(1.0, gt=0, le=1, description="factor on the learning rate each epoch")
    schedule: Literal["exponential", "linear"] = Field(
        "exponential",
        description="decay alone, or besides it a straight fall to zero over all epochs",
    )
    average: float = Field(
        0.0, ge=0, lt=1, description="decay a step of a running mean of the weights; 0: none"
    )
    validate_every: int = Field(5, ge=1, description="epochs between two validations")
    keep: Literal["best", "last"] = Field(
        "best",
        description="the weights that are best on the validation split, or the last: then all "
        "epochs are trained, whatever training.patience says",
    )
    patience: int = Field(
        10, ge=0, description="validations without a better MRR before stopping; 0: never stop"
    )
    checkpoint_minutes: float = Field(5.0, gt=0, description="minutes between two checkpoints")

    @field_validator("implied")
    @classmethod
    def _mostly(cls, share: float) -> float:
        if 0 < share < 0.5:
            raise ValueError("less than half of a relation implies nothing: give .5 to 1, or 0")
        return share

    @field_validator("ensemble")
    @classmethod
    def _several(cls, parts: int) -> int:
        if parts == 1:
            raise ValueError("an ensemble has two parts at least, or 0 for none")
        return parts

    @field_validator("degree_weight")
    @classmethod
    def _of_softmax(cls, share: float, info: ValidationInfo) -> float:
        if share and info.data.get("loss") == "bernoulli":
            raise ValueError("the Bernoulli loss counts all answers alike: use loss softmax")
        if share and not info.data.get("answer_weight"):
            raise ValueError("pairs count alike without training.answer_weight: give that as well")
        return share

    @field_validator("most_answers")
    @classmethod
    def _not_of_bernoulli(cls, most: int, info: ValidationInfo) -> int:
        if most and info.data.get("loss") == "bernoulli":
            raise ValueError("the Bernoulli loss needs all answers of a pair: use loss softmax")
        return most

    @field_validator("regulariser", mode="before")
    @classmethod
    def _still_there(cls, name: object) -> object:
        if name == "ivr":
            raise ValueError("ivr was removed, it was worse than dura and twice as slow: use dura")
        return name

    @field_validator("regulariser_weight")
    @classmethod
    def _with_its_regulariser(cls, weight: float, info: ValidationInfo) -> float:
        if (weight == 0) != (info.data.get("regulariser", "none") == "none"):
            raise ValueError("it and training.regulariser go together: give both, or neither")
        return weight

    @field_validator("regulariser_fall")
    @classmethod
    def _of_a_regulariser(cls, power: float, info: ValidationInfo) -> float:
        if power and info.data.get("regulariser") == "none":
            raise ValueError("there is no penalty to fall: give training.regulariser as well")
        return power
