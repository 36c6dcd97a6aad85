"""How a model is trained: every key of a recipe's `training` section."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from tucker.training.precision import Products


class TrainingSettings(BaseModel):
    """Settings of the loss, the optimiser and the loop."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    epochs: int = Field(
        200,
        ge=1,
        description="The most passes over all (subject, relation) pairs of the training facts.",
    )
    batch_size: int = Field(
        128, ge=2, description="How many (subject, relation) pairs a training step takes."
    )
    group_size: int = Field(
        16,
        ge=1,
        description="How many pairs of one relation stand together in a batch. They share the "
        "relation matrix and its dropout.",
    )
    implied: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Train on facts that follow from the training facts, too. One relation implies "
        "another (or its inverse) if at least this share of its facts, and at least ten of them, "
        "also hold with the other. From 0.5 to 1; 0 turns it off.",
    )
    loss: Literal["bernoulli", "softmax"] = Field(
        "bernoulli",
        description="The loss over all entities: the paper's binary cross entropy, or the cross "
        "entropy of a softmax.",
    )
    label_smoothing: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="ε of label smoothing: this share of each label is spread over all entities.",
    )
    smoothing_convention: Literal["authors", "textbook"] = Field(
        "authors",
        description="What a smoothed label y becomes: (1 − ε) y + 1/n_e as in the TuckER authors' "
        "code, or (1 − ε) y + ε/n_e as in textbooks. The softmax loss always uses the second.",
    )
    answer_weight: float = Field(
        0.0,
        ge=0,
        le=1,
        description="α: a pair with n answers counts n^α. With 0 all pairs count the same, with 1 "
        "all facts do.",
    )
    degree_weight: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="β: an answer with f training facts counts 1 − β + β f/F, where F is the most "
        "that any entity has. Rare entities then count less. It needs the softmax loss and an "
        "answer_weight.",
    )
    most_answers: int = Field(
        0,
        ge=0,
        description="The most answers of a pair in one step. A pair with more is cut into parts, "
        "and each part counts as a pair. Softmax loss only; 0 sets no limit.",
    )
    candidates: int = Field(
        0,
        ge=0,
        description="Negative sampling: how many random entities each step scores besides the "
        "answers of its batch. 0 scores all entities.",
    )
    exact_epochs: int = Field(
        0,
        ge=0,
        description="With candidates: how many of the last epochs score all entities nevertheless.",
    )
    products: Products = Field(
        "float32",
        description="The number format of the largest matrix products. bfloat16 takes about half "
        "the time on processors with instructions for it; others use float32 anyway.",
    )
    ensemble: int = Field(
        0,
        ge=0,
        description="Fit this many equal parts of the model's blocks each with its own loss, and "
        "rank by the sum of their scores. 0 fits the model as a whole.",
    )
    regulariser: Literal["none", "f2", "n3", "dura"] = Field(
        "none",
        description="A penalty on the embeddings of a batch's facts: the squared norm (f2), the "
        "nuclear 3-norm (n3) or DURA.",
    )
    regulariser_weight: float = Field(
        0.0, ge=0, validate_default=True, description="How much the penalty counts in the loss."
    )
    regulariser_fall: float = Field(
        0.0,
        ge=0,
        description="p: after a share t of all epochs the penalty counts (1 − t)^p times its "
        "weight. 0 keeps it constant.",
    )
    relation_weight: float = Field(
        0.0,
        ge=0,
        description="How much an auxiliary loss counts: predicting the relation of a fact from its "
        "subject and object.",
    )
    helper_facts: int = Field(
        128,
        ge=1,
        description="How many facts of a batch the penalty and the auxiliary loss look at.",
    )
    optimiser: Literal["adam", "adagrad"] = Field("adam", description="The optimiser.")
    learning_rate: float = Field(
        0.001, gt=0, description="The learning rate of the optimiser in the first epoch."
    )
    decay: float = Field(
        1.0, gt=0, le=1, description="The learning rate is multiplied by this after each epoch."
    )
    schedule: Literal["exponential", "linear"] = Field(
        "exponential",
        description="How the learning rate falls: by decay alone, or in addition linearly to zero "
        "at the end of the last epoch.",
    )
    average: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Decay of an exponential moving average of the weights, per step. The averaged "
        "weights are validated and kept. 0 turns it off.",
    )
    validate_every: int = Field(5, ge=1, description="How many epochs lie between validations.")
    keep: Literal["best", "last"] = Field(
        "best",
        description="Which weights to keep: the best on the validation split, or those of the last "
        "epoch. With last, training never stops early.",
    )
    patience: int = Field(
        10,
        ge=0,
        description="Early stopping: how many validations in a row may bring no better MRR. 0 "
        "never stops early.",
    )
    checkpoint_minutes: float = Field(
        5.0, gt=0, description="How many minutes lie between checkpoints."
    )

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
