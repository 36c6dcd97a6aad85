from __future__ import annotations

import inspect
from importlib import resources
from pathlib import Path

import pytest
import yaml

from tests.pipeline.conftest import SETTINGS
from tucker.errors import SettingsError
from tucker.graph.datasets.catalogue import DATASETS
from tucker.mixture import TRAINED
from tucker.pipeline import load_recipe, read_recipe
from tucker.pipeline.recipe import make_recipe, merged, same_settings, with_changes
from tucker.pipeline.shipped import recipe_name
from tucker.training import TrainingSettings

RECIPES = sorted(Path(str(resources.files("tucker.pipeline"))).glob("recipes/**/*.yaml"))
YAML = """\
graph: world
seed: 7
model:
  name: tucker
  d_e: 12
training:
  epochs: 5
  learning_rate: 3e-3
about:
  published: {mrr: 0.47}
"""


def test_a_recipe_from_a_file(tmp_path):
    (tmp_path / "recipe.yaml").write_text(YAML)
    recipe = load_recipe(tmp_path / "recipe.yaml")
    assert (recipe.graph, recipe.seed) == ("world", 7)
    assert recipe.model["d_e"] == 12
    assert recipe.training.epochs == 5
    assert recipe.training.learning_rate == 0.003
    assert recipe.about == {"published": {"mrr": 0.47}}


def test_what_is_not_set_is_resolved(tmp_path):
    (tmp_path / "recipe.yaml").write_text(YAML)
    recipe = load_recipe(tmp_path / "recipe.yaml")
    parameters = inspect.signature(TRAINED["tucker"]).parameters
    assert recipe.model.keys() == {"name"} | parameters.keys() - {"n_e", "n_r"}
    assert recipe.model["dropout_query"] == parameters["dropout_query"].default
    assert recipe.training.batch_size == TrainingSettings().batch_size


def test_a_resolved_recipe_is_a_recipe():
    recipe = make_recipe(SETTINGS)
    again = make_recipe(yaml.safe_load(yaml.safe_dump(recipe.model_dump(mode="json"))))
    assert again == recipe


def test_there_are_recipes_to_check():
    assert "demo.yaml" in [path.name for path in RECIPES]


@pytest.mark.parametrize("path", RECIPES, ids=recipe_name)
def test_every_shipped_recipe_is_valid(path):
    recipe = load_recipe(path)
    assert recipe.graph in ["world", *DATASETS]
    assert make_recipe(recipe.model_dump(mode="json")) == recipe


@pytest.mark.parametrize(
    ("change", "section", "key", "value"),
    [
        ("training.epochs=7", "training", "epochs", 7),
        ("training.learning_rate=1e-3", "training", "learning_rate", 0.001),
        ("training.learning_rate=1E-3", "training", "learning_rate", 0.001),
        ("training.learning_rate=0.5", "training", "learning_rate", 0.5),
        ("training.learning_rate=1", "training", "learning_rate", 1.0),
        ("training.loss=softmax", "training", "loss", "softmax"),
        ('training.loss="softmax"', "training", "loss", "softmax"),
        ("model.d_e=33", "model", "d_e", 33),
        ("model.dropout_query=2e-1", "model", "dropout_query", 0.2),
        ("model.dropout_query=0", "model", "dropout_query", 0.0),
    ],
)
def test_a_change_of_a_nested_key(change, section, key, value):
    recipe = make_recipe(with_changes(SETTINGS, [change]))
    config = recipe.model_dump(mode="json")
    assert config[section][key] == value
    assert type(config[section][key]) is type(value)
    untouched = make_recipe(SETTINGS).model_dump(mode="json")
    config[section][key] = untouched[section][key]
    assert config == untouched


def test_a_change_of_a_whole_section_and_of_free_remarks():
    changes = ["training={epochs: 2}", "about.why=a try = a trial", "seed=9"]
    recipe = make_recipe(with_changes(SETTINGS, changes))
    assert recipe.training.epochs == 2
    assert recipe.training.batch_size == 16
    assert recipe.about == {"why": "a try = a trial"}
    assert recipe.seed == 9


def test_the_last_change_counts_and_the_settings_given_do_not_change():
    before = yaml.safe_dump(SETTINGS)
    recipe = make_recipe(with_changes(SETTINGS, ["training.epochs=2", "training.epochs=3"]))
    assert recipe.training.epochs == 3
    assert yaml.safe_dump(SETTINGS) == before


def test_settings_are_the_same_with_or_without_their_defaults_and_remarks():
    resolved = make_recipe(SETTINGS | {"about": {"why": "a trial"}}).model_dump(mode="json")
    assert same_settings(SETTINGS, resolved)
    assert same_settings(SETTINGS, resolved | {"split_version": 2})
    assert not same_settings(SETTINGS, resolved | {"seed": 1})
    assert not same_settings(SETTINGS, merged(resolved, {"training": {"epochs": 5}}))
    unknown = merged(resolved, {"training": {"of_another_version": 1}})
    assert not same_settings(SETTINGS, unknown)
    assert same_settings(unknown, unknown | {"about": {}})


def test_the_config_of_a_run_older_than_the_key_asks_for_the_first_version_of_the_split(tmp_path):
    config = tmp_path / "config.yaml"
    config.write_text(YAML)
    assert "split_version" not in read_recipe(config)  # a recipe that happens to be called so
    (tmp_path / "known.parquet").write_bytes(b"")
    assert read_recipe(config)["split_version"] == 1
    config.write_text(YAML + "split_version: 2\n")
    assert read_recipe(config)["split_version"] == 2


def test_merged_keeps_what_is_not_replaced():
    settings = {"a": {"b": 1, "c": {"d": 2}}, "e": 3}
    more = {"a": {"c": {"f": 4}}, "g": None}
    assert merged(settings, more) == {"a": {"b": 1, "c": {"d": 2, "f": 4}}, "e": 3, "g": None}
    assert settings == {"a": {"b": 1, "c": {"d": 2}}, "e": 3}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"trainig": {}}, "there is no setting trainig; did you mean training?"),
        ({"training": {"epoch": 3}}, "no setting training.epoch; did you mean training.epochs?"),
        ({"training": {"lerning_rate": 3}}, "did you mean training.learning_rate?"),
        ({"model": {"dropout_queries": 0.1}}, "did you mean model.dropout_query?"),
        ({"model": {"zzzz": 0.1}}, "no setting model.zzzz; known are model.d_e, model.d_r, "),
        ({"model": {"n_r": 5}}, "no setting model.n_r; did you mean model.d_r?"),
        ({"model": {"name": "Tucker"}}, "there is no model 'Tucker'; did you mean tucker?"),
        ({"epochs": 3}, "there is no setting epochs; did you mean training.epochs?"),
        (
            {"model": {"name": "distmult", "d_e": 4, "d_r": 4}},
            "model.d_r is a setting of other models, not of this one",
        ),
        ({"model": {"epochs": 3}}, "no setting model.epochs; did you mean training.epochs?"),
        ({"training": {"d_e": 3}}, "no setting training.d_e; did you mean model.d_e?"),
        ({"seed": -1}, "seed: Input should be greater than or equal to 0 (found -1)"),
        ({"graph": 5}, "graph: Input should be a valid string (found 5)"),
        (
            {"training": {"loss": "bernoulli", "most_answers": 2}},
            "training.most_answers: the Bernoulli loss needs all answers at once",
        ),
    ],
)
def test_a_wrong_setting_is_refused_and_names_the_nearest(settings, message):
    with pytest.raises(SettingsError) as caught:
        make_recipe(merged(SETTINGS, settings))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("section", "key", "value", "message"),
    [
        ("model", "gamma", float("nan"), "finite number"),
        ("model", "gamma", -5.0, "model.gamma is -5: it must be greater than 0"),
        ("training", "learning_rate", float("inf"), "finite number"),
    ],
)
def test_numbers_must_be_usable(section, key, value, message):
    settings = {"graph": "world", "model": {"name": "transe"}, "training": {}}
    with pytest.raises(SettingsError, match=message):
        make_recipe(merged(settings, {section: {key: value}}))


@pytest.mark.parametrize("missing", ["graph", "model"])
def test_a_missing_section_is_named(missing):
    settings = {key: value for key, value in SETTINGS.items() if key != missing}
    with pytest.raises(SettingsError, match=f"^the recipe does not say its {missing}$"):
        make_recipe(settings)


def test_a_file_that_is_no_recipe_is_refused_with_its_line(tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text("graph: world\nmodel: {d_e: 5\n")
    with pytest.raises(SettingsError, match=r"recipe.yaml:\d: is not YAML"):
        read_recipe(path)
    path.write_text("- graph\n")
    with pytest.raises(SettingsError, match="a recipe has keys such as graph"):
        read_recipe(path)
    with pytest.raises(SettingsError, match="cannot be read"):
        read_recipe(tmp_path / "none.yaml")


def test_a_recipe_file_runs_nothing(tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text("graph: !!python/object/apply:os.system ['touch owned']\n")
    with pytest.raises(SettingsError, match="is not YAML"):
        read_recipe(path)
