from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tucker.errors import SettingsError
from tucker.models import MODELS
from tucker.pipeline import load_recipe
from tucker.pipeline.shipped import find_recipe, recipe_name, recipe_names
from tucker.reproduction.published import FIGURES, TABLES
from tucker.training import TrainingSettings

# The paper's Table 5: lr, dr, d_e, d_r, d#1, d#2, d#3, ls.
HYPER_PARAMETERS = {
    "FB15k": (0.003, 0.99, 200, 200, 0.2, 0.2, 0.3, 0.0),
    "FB15k-237": (0.0005, 1.0, 200, 200, 0.3, 0.4, 0.5, 0.1),
    "WN18": (0.005, 0.995, 200, 30, 0.2, 0.1, 0.2, 0.1),
    "WN18RR": (0.01, 1.0, 200, 30, 0.2, 0.2, 0.3, 0.1),
}
# Entities and relations of each data set: the paper's Table 2.
SIZES = {
    "FB15k": (14951, 1345),
    "FB15k-237": (14541, 237),
    "WN18": (40943, 18),
    "WN18RR": (40943, 11),
}


def paper_recipe(dataset):
    return load_recipe(f"paper/{dataset.lower()}")


@pytest.mark.parametrize("dataset", HYPER_PARAMETERS)
def test_a_paper_recipe_is_the_paper_s_to_the_letter(dataset):
    recipe = paper_recipe(dataset)
    model, training = recipe.model, recipe.training
    assert recipe.graph == dataset
    assert model["name"] == "tucker"
    assert HYPER_PARAMETERS[dataset] == (
        training.learning_rate,
        training.decay,
        model["d_e"],
        model["d_r"],
        model["dropout_subject"],
        model["dropout_relation"],
        model["dropout_query"],
        training.label_smoothing,
    )
    assert (training.loss, training.smoothing_convention) == ("bernoulli", "authors")
    assert (training.batch_size, training.epochs, training.patience) == (128, 500, 0)
    changed = {"learning_rate", "decay", "label_smoothing", "epochs", "patience", "validate_every"}
    assert training.model_dump(exclude=changed) == TrainingSettings().model_dump(exclude=changed)
    assert (model["blocks"], model["batch_norm"], model["initial_width"]) == (1, True, None)


@pytest.mark.parametrize("dataset", HYPER_PARAMETERS)
def test_a_paper_recipe_has_the_published_figures_and_the_doubts_beside_it(dataset):
    about = paper_recipe(dataset).about
    (row,) = (
        row
        for table in TABLES.values()
        for row in table.rows.get(dataset, ())
        if row.model == "TuckER"
    )
    assert about["published"] == {figure: getattr(row, figure) for figure in FIGURES}
    (number,) = (table.title for table in TABLES.values() if dataset in table.rows)
    assert about["source"].endswith(f"figures of {number}")
    assert len(about["doubts"]) >= 3
    assert all(isinstance(doubt, str) for doubt in about["doubts"])  # a colon would make a mapping


OURS = [name for name in recipe_names() if name.startswith(("fast/", "best/"))]
ROWS = [name for name in recipe_names() if name.startswith("rows/")]


@pytest.mark.parametrize("name", OURS)
def test_a_recipe_of_ours_has_no_more_parameters_than_the_paper_s(name):
    ours = load_recipe(name)
    (dataset,) = (dataset for dataset in SIZES if name.endswith(f"/{dataset.lower()}"))
    paper = paper_recipe(dataset)
    assert ours.graph == dataset
    assert parameters(ours) <= parameters(paper)
    assert ours.about["published"] == paper.about["published"]
    assert ours.about["doubts"]
    assert all(isinstance(doubt, str) for doubt in ours.about["doubts"])


@pytest.mark.parametrize("name", ROWS)
def test_a_row_has_no_more_parameters_than_the_paper_s_tucker(name):
    _, dataset, model = name.split("/")
    recipe = load_recipe(name)
    assert (recipe.graph.lower(), recipe.model["name"]) == (dataset, model)
    assert parameters(recipe) <= parameters(paper_recipe(recipe.graph))
    assert all(isinstance(doubt, str) for doubt in recipe.about["doubts"])
    published = {
        row.model.replace("-", "").casefold(): row.as_dict()
        for table in TABLES.values()
        for row in table.rows.get(recipe.graph, ())
    }
    figures = {key: published.get(model, {}).get(key) for key in FIGURES}
    assert recipe.about.get("published", {}) == {
        key: value for key, value in figures.items() if value is not None
    }


def parameters(recipe):
    n_e, n_r = SIZES[recipe.graph]
    models = [recipe.model, *([recipe.beside.model] if recipe.beside else [])]
    with torch.device("meta"):
        made = [
            MODELS[model["name"]](
                n_e=n_e, n_r=2 * n_r, **{key: model[key] for key in model if key != "name"}
            )
            for model in models
        ]
    return sum(model.count_parameters() for model in made)


@pytest.mark.parametrize("graph", ["umls", "kinship"])
def test_the_family_has_a_recipe_for_every_model(graph):
    names = [name for name in recipe_names() if name.startswith(f"family/{graph}/")]
    recipes = {Path(name).name: load_recipe(name) for name in names}
    assert recipes.keys() == MODELS.keys()
    for model, recipe in recipes.items():
        assert (recipe.model["name"], recipe.graph) == (model, graph)


@pytest.mark.parametrize("name", recipe_names())
def test_every_name_leads_to_its_file(name):
    path = find_recipe(name)
    assert path.is_file()
    assert recipe_name(path) == name
    assert find_recipe(f"{name}.yaml") == path


def test_the_names():
    assert {"demo", *(f"paper/{dataset.lower()}" for dataset in HYPER_PARAMETERS)} <= set(
        recipe_names()
    )


def test_a_file_goes_before_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()  # a folder does not
    assert find_recipe("demo").name == "demo.yaml"
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "wn18rr").write_text("graph: world\n")
    assert find_recipe("paper/wn18rr").read_text() == "graph: world\n"
    assert recipe_name(find_recipe("paper/wn18rr")) == "wn18rr"


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("wn18rr", "did you mean fast/wn18rr or paper/wn18rr?"),
        ("papr/wn18rr", "did you mean paper/wn18rr or "),
        ("xyz", "to train on a graph of that name, say --graph xyz"),
    ],
)
def test_an_unknown_name_is_refused_with_the_near_ones(name, hint):
    with pytest.raises(SettingsError, match=f"^there is no recipe '{name}'; ") as caught:
        find_recipe(name)
    assert hint in str(caught.value)


def test_what_looks_like_a_file_is_left_to_the_reader(tmp_path):
    assert find_recipe("none.yaml").name == "none.yaml"
    assert find_recipe(str(tmp_path)) == tmp_path
