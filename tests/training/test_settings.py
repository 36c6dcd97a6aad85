"""Settings of training: what is refused, and what goes together."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from tucker.training import TrainingSettings


@pytest.mark.parametrize("key", TrainingSettings.model_fields)
def test_every_setting_is_described(key: str) -> None:
    assert len(str(TrainingSettings.model_fields[key].description)) > 10


@pytest.mark.parametrize(
    "wrong",
    [{"epoch": 3}, {"epochs": 0}, {"batch_size": 1}, {"label_smoothing": 1.0}, {"loss": "hinge"}],
)
def test_what_is_no_setting_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TrainingSettings.model_validate(wrong)


@pytest.mark.parametrize("number", [math.inf, math.nan])
def test_numbers_are_finite(number: float) -> None:
    with pytest.raises(ValidationError, match="finite"):
        TrainingSettings(learning_rate=number)


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        TrainingSettings().epochs = 3  # type: ignore[misc]


@pytest.mark.parametrize("share", [-0.1, 0.1, 1.1])
def test_a_share_is_most_or_all(share: float) -> None:
    with pytest.raises(ValidationError, match="implied"):
        TrainingSettings(implied=share)


def test_an_ensemble_of_one_part_is_none() -> None:
    assert TrainingSettings.model_validate({"ensemble": False}).ensemble == 0
    with pytest.raises(ValidationError, match="at least 2 parts"):
        TrainingSettings.model_validate({"ensemble": True})


def test_only_a_penalty_can_fall() -> None:
    with pytest.raises(ValidationError, match="no penalty to lower"):
        TrainingSettings(regulariser_fall=1)


@pytest.mark.parametrize("alone", [{"regulariser": "n3"}, {"regulariser_weight": 0.1}])
def test_a_penalty_and_its_weight_go_together(alone: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="together, or neither"):
        TrainingSettings.model_validate(alone)


def test_an_old_setting_that_names_ivr_hears_what_to_use() -> None:
    with pytest.raises(ValidationError, match=r"ivr was removed.*: use dura"):
        TrainingSettings.model_validate({"regulariser": "ivr", "regulariser_weight": 0.1})


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"loss": "bernoulli", "answer_weight": 1.0}, "cannot weigh answers"),
        ({"loss": "softmax"}, "it needs training.answer_weight"),
    ],
)
def test_weighing_by_degree_needs_a_loss_that_weighs(settings, why) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValidationError, match=why):
        TrainingSettings(**settings, degree_weight=0.9)
    weighing = TrainingSettings(loss="softmax", answer_weight=0.5, degree_weight=0.9)
    assert weighing.degree_weight == 0.9


def test_the_bernoulli_loss_takes_all_answers_of_a_pair() -> None:
    """Answers that another part of the pair has would be taken for wrong ones."""
    with pytest.raises(ValidationError, match="needs all answers at once"):
        TrainingSettings(loss="bernoulli", most_answers=4)
    assert TrainingSettings(loss="softmax", most_answers=4).most_answers == 4
