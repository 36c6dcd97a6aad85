"""How a model is trained: every key of a recipe's `training` section."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from tucker.training.precision import Products


class TrainingSettings(BaseModel):
    """Settings of the loss, the optimiser and the loop."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    epochs: int = Field(200, ge=1, description="passes over all (subject, relation) pairs, at most")
    batch_size: int = Field(128, ge=2, description="pairs in a step of the optimiser")
    group_size: int = Field(
        16, ge=1, description="pairs of one relation that share a relation matrix and its dropout"
    )
    implied: float = Field(
        0.0,
        ge=0,
        le=1,
        description="0.5 to 1: also learn facts that follow from others: if at least this share of "
        "a relation's facts, and at least ten, also hold with another relation or its reciprocal, "
        "all of them are taken to; 0: off",
    )
    loss: Literal["bernoulli", "softmax"] = Field(
        "bernoulli",
        description="bernoulli: a yes-or-no question for each entity, as in the paper; softmax: "
        "cross entropy over all entities",
    )
    label_smoothing: float = Field(0.0, ge=0, lt=1, description="ε of label smoothing; 0: off")
    smoothing_convention: Literal["authors", "textbook"] = Field(
        "authors",
        description="what label smoothing adds to (1-ε)y: 1/n_e as in the authors' code, or ε/n_e "
        "as in textbooks (the softmax loss always takes the textbook's)",
    )
    answer_weight: float = Field(
        0.0,
        ge=0,
        le=1,
        description="α: a pair with n answers counts n^α times; 0 weighs pairs alike, 1 facts",
    )
    degree_weight: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="β: weigh answers by degree: an answer counts 1 − β + β · (its training facts "
        "/ the most of any entity) times (only with the softmax loss and an answer_weight)",
    )
    most_answers: int = Field(
        0,
        ge=0,
        description="divide a pair with more answers than this into several pairs (only with the "
        "softmax loss); 0: off",
    )
    candidates: int = Field(
        0,
        ge=0,
        description="negative sampling: entities drawn in each step to score against, besides the "
        "answers of the batch; 0: all entities",
    )
    exact_epochs: int = Field(
        0, ge=0, description="the last epochs, which score against all entities despite candidates"
    )
    products: Products = Field(
        "float32",
        description="number format of the largest matrix products: bfloat16 takes half the time on "
        "processors that multiply it natively; on others float32 is used",
    )
    ensemble: int = Field(
        0,
        ge=0,
        description="divide TuckER's blocks into this many parts that are fitted independently, "
        "and add their scores; 0: off",
    )
    regulariser: Literal["none", "f2", "n3", "dura"] = Field(
        "none", description="penalty on the embeddings of a batch's facts"
    )
    regulariser_weight: float = Field(
        0.0, ge=0, validate_default=True, description="λ, the weight of the penalty"
    )
    regulariser_fall: float = Field(
        0.0,
        ge=0,
        description="p: the penalty's weight falls during training, λ · (1 − t)^p at the share t "
        "of all epochs; 0: it is λ throughout",
    )
    relation_weight: float = Field(
        0.0,
        ge=0,
        description="weight of the auxiliary loss that predicts the relation from subject and "
        "object; 0: off",
    )
    helper_facts: int = Field(
        128, ge=1, description="facts of each batch used for the penalty and the auxiliary loss"
    )
    optimiser: Literal["adam", "adagrad"] = Field("adam", description="the optimiser")
    learning_rate: float = Field(0.001, gt=0, description="the learning rate in the first epoch")
    decay: float = Field(
        1.0, gt=0, le=1, description="factor on the learning rate after each epoch"
    )
    schedule: Literal["exponential", "linear"] = Field(
        "exponential",
        description="exponential: decay alone; linear: it also falls to zero in a straight line",
    )
    average: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="decay of a running mean of the weights, which is validated and kept; 0: off",
    )
    validate_every: int = Field(5, ge=1, description="epochs between two validations")
    keep: Literal["best", "last"] = Field(
        "best",
        description="best: the weights with the best validation MRR; last: those of the last "
        "epoch, without early stopping",
    )
    patience: int = Field(
        10,
        ge=0,
        description="early stopping after this many validations without a better MRR; 0: never",
    )
    checkpoint_minutes: float = Field(5.0, gt=0, description="minutes between two checkpoints")

    @field_validator("implied")
    @classmethod
    def _mostly(cls, share: float) -> float:
        if 0 < share < 0.5:
            raise ValueError("give 0.5 to 1, or 0 to turn it off")
        return share

    @field_validator("ensemble")
    @classmethod
    def _several(cls, parts: int) -> int:
        if parts == 1:
            raise ValueError("give at least 2 parts, or 0 to turn it off")
        return parts

    @field_validator("degree_weight")
    @classmethod
    def _of_softmax(cls, share: float, info: ValidationInfo) -> float:
        if share and info.data.get("loss") == "bernoulli":
            raise ValueError(
                "the Bernoulli loss cannot weigh answers: set training.loss to softmax"
            )
        if share and not info.data.get("answer_weight"):
            raise ValueError("it needs training.answer_weight: set that as well")
        return share

    @field_validator("most_answers")
    @classmethod
    def _not_of_bernoulli(cls, most: int, info: ValidationInfo) -> int:
        if most and info.data.get("loss") == "bernoulli":
            raise ValueError(
                "the Bernoulli loss needs all answers at once: set training.loss to softmax"
            )
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
            raise ValueError("set training.regulariser and its weight together, or neither")
        return weight

    @field_validator("regulariser_fall")
    @classmethod
    def _of_a_regulariser(cls, power: float, info: ValidationInfo) -> float:
        if power and info.data.get("regulariser") == "none":
            raise ValueError("there is no penalty to lower: set training.regulariser as well")
        return power
