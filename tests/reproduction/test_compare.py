from __future__ import annotations

import pytest

from tests.pipeline.conftest import tiny
from tucker.errors import ResultError
from tucker.reproduction.compare import compare
from tucker.reproduction.published import FIGURES, TABLES
from tucker.reproduction.results import Ranking, Result

TABLE = TABLES["table3"]
RECIPES = {"fast/a": tiny(graph="WN18RR"), "fast/b": tiny(graph="FB15k-237")}


def result(seed=0, mrr=0.5, recipe="fast/a", dataset="WN18RR", **training):
    config = tiny(graph=dataset, seed=seed, training=training).model_dump(mode="json")
    ranking = Ranking(mrr=mrr, hits_at_1=mrr / 2, hits_at_3=mrr, hits_at_10=mrr)
    return Result(
        dataset=dataset,
        model="tucker",
        recipe=recipe,
        config=config,
        seed=seed,
        commit=None,
        machine=None,
        seconds=60 * (seed + 1),
        epochs=4,
        best_epoch=3,
        peak_memory_mb=None,
        parameters=99,
        valid=ranking,
        test=ranking,
        journal=[],
    )


def test_the_mean_over_seeds_and_their_spread():
    comparison = compare(TABLE, [result(2, 0.7), result(0, 0.5), result(1, 0.6)], RECIPES)
    measured, unmeasured = comparison.on("WN18RR") + comparison.on("FB15k-237")
    assert measured.seeds == [0, 1, 2]
    assert measured.mean("mrr") == pytest.approx(0.6)
    assert measured.mean("hits_at_1") == pytest.approx(0.3)
    assert measured.spread("mrr") == pytest.approx(0.1)
    assert (measured.minutes, measured.parameters) == (2, 99)
    assert unmeasured.recipe == "fast/b"
    assert unmeasured.seeds == []
    assert [result.seed for result in comparison.results] == [0, 1, 2]


def test_a_model_beside_is_named():
    both = tiny(graph="WN18RR", beside={"model": {"name": "complex"}})
    (unmeasured,) = compare(TABLE, [], {"best/a": both}).measured
    assert (unmeasured.model, unmeasured.beside) == ("tucker", "complex")
    made = result().model_copy(update={"config": both.model_dump(mode="json")})
    (measured,) = compare(TABLE, [made], {}).measured
    assert measured.as_dict()["beside"] == "complex"


def test_rules_are_named():
    ruled = tiny(graph="WN18RR", rules={})
    (unmeasured,) = compare(TABLE, [], {"best/a": ruled}).measured
    assert unmeasured.rules
    made = result().model_copy(update={"config": ruled.model_dump(mode="json")})
    (measured,) = compare(TABLE, [made], {}).measured
    assert measured.as_dict()["rules"]
    assert "rules" not in compare(TABLE, [result()], {}).measured[0].as_dict()


def test_one_seed_has_no_spread():
    (measured,) = compare(TABLE, [result()], {}).measured
    assert measured.mean("mrr") == 0.5
    assert measured.spread("mrr") is None


def test_the_form_for_programs():
    found = compare(TABLE, [result()], RECIPES).as_dict()
    assert found["table"] == "table3"
    assert "arxiv.org/abs/1901.09590" in found["source"]
    first, second = found["datasets"]
    assert (first["dataset"], second["dataset"]) == ("WN18RR", "FB15k-237")
    assert first["published"][-1]["mrr"] == 0.470
    assert first["measured"] == [
        {
            "model": "tucker",
            "recipe": "fast/a",
            "seeds": [0],
            "mrr": 0.5,
            "hits_at_1": 0.25,
            "hits_at_3": 0.5,
            "hits_at_10": 0.5,
            "spread": dict.fromkeys(FIGURES),
            "minutes": 1,
            "parameters": 99,
        }
    ]
    nothing = dict.fromkeys([*FIGURES, "minutes", "parameters"])
    assert second["measured"][0].items() >= (nothing | {"recipe": "fast/b", "seeds": []}).items()


def test_a_recipe_may_be_measured_that_is_not_listed():
    comparison = compare(TABLE, [result(recipe="mine")], RECIPES)
    assert [one.recipe for one in comparison.on("WN18RR")] == ["fast/a", "mine"]


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([result(), result()], "fast/a has two results of one seed"),
        ([result(0), result(1, epochs=9)], "the results of fast/a differ in their settings"),
        ([result(dataset="WN18")], "of WN18, but Table 3 is of WN18RR and FB15k-237"),
    ],
)
def test_what_does_not_belong_together_is_refused(results, message):
    with pytest.raises(ResultError, match=message):
        compare(TABLE, results, {})
