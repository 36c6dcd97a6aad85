"""One call trains a graph, a recipe or both, and goes on where a training was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import yaml

import tucker
from tests.api.conftest import TINY, interrupted_after
from tests.cli.running import tucker as command
from tucker.errors import TrainingStopped
from tucker.files import sha256

QUIET = {"progress": False}
RECIPE = {
    "graph": "world",
    "seed": 3,
    "model": {"name": "complex", "d_e": 6},
    "training": {"epochs": 2, "validate_every": 1, "loss": "softmax"},
}


@pytest.fixture
def recipe(tmp_path) -> Path:
    path = tmp_path / "recipe.yaml"
    path.write_text(yaml.safe_dump(RECIPE))
    return path


def config(path: Path) -> dict:
    return yaml.safe_load((path / "config.yaml").read_text(encoding="utf-8"))


def weights(path: Path) -> str:
    return sha256(path / "model.safetensors")


@pytest.mark.parametrize("form", [str, Path, tucker.load_graph], ids=["text", "path", "graph"])
def test_a_graph_in_any_form_gives_the_same_weights(people, folder, form, tmp_path):
    run = tucker.train(form(people), out=tmp_path / "run", **TINY)
    assert weights(tmp_path / "run") == weights(folder)
    assert run.config["training"] == config(folder)["training"]


@pytest.mark.parametrize("form", [str, Path, tucker.load_recipe], ids=["text", "path", "recipe"])
def test_a_recipe_in_any_form(recipe, form):
    run = tucker.train(form(recipe), **QUIET)
    assert run.graph.name == "world"
    assert (run.config["seed"], run.config["model"]["d_e"]) == (3, 6)
    assert len(run.journal) == 2


def test_a_recipe_on_another_graph(recipe, people, drawn):
    by_path = tucker.train(people, recipe=recipe, **QUIET)
    assert by_path.config["graph"] == str(people)
    given = tucker.train(drawn, recipe=tucker.load_recipe(recipe), **QUIET)
    assert (given.graph, given.config["graph"]) == (drawn, "drawn")
    for run in (by_path, given):
        assert (run.config["seed"], run.config["model"]["name"]) == (3, "complex")
        assert run.config["training"]["epochs"] == 2


def test_a_shipped_recipe_by_name(drawn):
    changes = {"training.epochs": 1, "model.d_e": 8, "model.d_r": 4}
    run = tucker.train(drawn, recipe="paper/wn18rr", set=changes, **QUIET)
    shipped = tucker.load_recipe("paper/wn18rr").model_dump(mode="json")
    assert run.config["training"] == shipped["training"] | {"epochs": 1}
    assert run.config["about"] == shipped["about"]


def test_a_name_is_a_recipe_s_where_no_graph_has_it(monkeypatch, tmp_path):
    with pytest.raises(tucker.TuckerError, match="did you mean fast/wn18rr or"):
        tucker.train("fast/wn18r", **QUIET)
    with pytest.raises(tucker.TuckerError, match="there is no file, folder or named dataset"):
        tucker.train("facts.tsv", **QUIET)
    with pytest.raises(tucker.TuckerError, match=r"none.yaml: cannot be read"):
        tucker.train("none.yaml", **QUIET)
    (tmp_path / "demo").mkdir()  # a folder goes before the recipe of that name
    with pytest.raises(tucker.TuckerError, match="demo: found nothing but no train"):
        tucker.train("demo", **QUIET)


@pytest.mark.parametrize(
    "settings",
    [
        {"epochs": 2, "d_e": 7, "seed": 5},
        {"set": {"training.epochs": 2, "model.d_e": 7, "seed": 5}},
        {"set": {"training": {"epochs": 2}, "model": {"d_e": 7}, "seed": 5}},
        {"set": ["training.epochs=2", "model.d_e=7", "seed=5"]},
        {"epochs": 9, "seed": 1, "d_e": 7, "set": {"training.epochs": 2, "seed": 5}},
    ],
    ids=["keywords", "dotted", "nested", "texts", "set goes before keywords"],
)
def test_settings_can_be_said_in_any_form(people, settings):
    run = tucker.train(people, d_r=4, validate_every=1, **settings, **QUIET)
    assert (run.config["model"]["d_e"], run.config["model"]["d_r"]) == (7, 4)
    assert (run.config["training"]["epochs"], run.config["seed"]) == (2, 5)


def test_one_text_is_one_change(people):
    run = tucker.train(people, set="training.epochs=1", d_e=7, d_r=4, **QUIET)
    assert run.config["training"]["epochs"] == 1


def test_the_same_settings_by_command_line_and_from_python(people, tmp_path):
    words = ["--set=model.d_e=8", "--set=model.d_r=4", "--set=training.epochs=3"]
    words += ["--set=training.validate_every=1", "--seed=4"]
    assert command("train", "--graph", people, "--out", "by-command", *words).code == 0
    run = tucker.train(people, out="by-python", seed=4, **TINY)
    assert weights(Path("by-python")) == weights(Path("by-command"))
    assert config(run.path) == config(Path("by-command"))


def test_another_model_with_a_recipe_s_training(recipe, people):
    run = tucker.train(people, "distmult", recipe=recipe, **QUIET)
    assert (run.config["model"]["name"], run.config["model"]["d_e"]) == ("distmult", 6)
    assert run.config["training"]["loss"] == "softmax"


def test_a_model_beside(drawn):
    training = {"epochs": 1, "loss": "softmax"}
    beside = {"model": {"name": "complex", "d_e": 6}, "training": training}
    both = tucker.train(drawn, beside=beside, **TINY | {"loss": "softmax"})
    assert both.config["beside"]["weight"] == 1.0
    assert both.model.E.shape[1] == TINY["d_e"] + 6
    assert both.relation_matrix("r1").shape == (14, 14)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "say what to train on"),
        ({"recipe": {"model": {"d_e": 8}}}, "say what to train on"),
        ({"graph": "recipe.yaml", "recipe": RECIPE}, "two recipes are given"),
        ({"resume": True}, "say which run to resume"),
        ({"resume": True, "out": True}, "say which run to resume"),
        ({"graph": "drawn", "set": {"graph": "world"}}, "the graph is given: leave it out"),
        ({"graph": "drawn", "set": ["training.epochs"]}, "--set takes key=value"),
        ({"graph": "drawn", "minutes": 3}, "there is no setting minutes"),
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_refused(tmp_path, drawn, recipe, given, message):
    given = dict(given)
    if given.get("graph") == "drawn":
        given["graph"] = drawn
    if isinstance(given.get("recipe"), dict):
        (tmp_path / "other.yaml").write_text(yaml.safe_dump(given["recipe"]))
        given["recipe"] = "other.yaml"
    with pytest.raises(tucker.TuckerError, match=message):
        tucker.train(**given, **QUIET)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epoch": 3}, "epochs"),
        ({"d_ee": 3}, "did you mean d_e?"),
        ({"learnin_rate": 0.1}, "did you mean learning_rate?"),
        ({"epochs": 0}, "training.epochs: "),
        ({"dropout_query": 2}, "model.dropout_query is 2"),
        ({"model": "tuker"}, "did you mean tucker"),
    ],
)
def test_a_wrong_setting_is_refused_and_names_the_nearest(drawn, settings, message):
    with pytest.raises(tucker.TuckerError) as caught:
        tucker.train(drawn, **(TINY | settings))
    assert message in str(caught.value)
    assert "known are" not in str(caught.value)


def test_the_seed(run, drawn):
    other = tucker.train(drawn, seed=1, **TINY)
    assert other.config["seed"] == 1
    assert not other.model.E.equal(run.model.E)


def test_into_a_folder(run, drawn, tmp_path):
    on_disk = tucker.train(drawn, out=tmp_path / "run", **TINY)
    assert on_disk.path == tmp_path / "run"
    loaded = tucker.load(tmp_path / "run")
    for name, value in run.model.state_dict().items():
        assert loaded.model.state_dict()[name].equal(value)


def test_into_a_new_folder_under_runs(people, drawn):
    paths = [tucker.train(graph, out=True, **TINY).path for graph in (people, people, drawn)]
    assert paths == [Path("runs/facts"), Path("runs/facts-2"), Path("runs/drawn")]
    assert tucker.load("runs/facts-2").path == Path("runs/facts-2")


def test_what_the_training_said_about_itself(people, folder, tmp_path):
    run = tucker.train(people, out=tmp_path / "run", evaluate="test", **TINY)
    assert run.report["run"] == str(tmp_path / "run")
    assert run.report["epochs"] == 3
    assert run.report["valid"] == run.metrics["valid"] == run.evaluate("valid").as_dict()
    assert run.report["test"] == run.evaluate("test").as_dict()
    assert "test" not in tucker.train(people, **TINY).report
    assert tucker.load(folder).report is None


def test_test_facts_that_are_not_there_are_missed_before_training(tmp_path):
    (tmp_path / "two.tsv").write_text("a\tr\tb\nb\tr\tc\n")
    with pytest.raises(tucker.TuckerError, match="has no test facts to evaluate on"):
        tucker.train("two.tsv", out="run", evaluate="test", **TINY)
    assert not (tmp_path / "run").exists()


def test_progress_and_notes_go_to_stderr_or_nowhere(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("tucker.progress._LINE_SECONDS", 0.0)
    (tmp_path / "facts.tsv").write_text("a\tr\tb\nb\tr\tc\n" * 2)
    tucker.train("facts.tsv", **(TINY | {"progress": True}))
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("note: Merged 2 repeated triples of facts.tsv.\n")
    assert "epoch 3/3" in err
    tucker.train("facts.tsv", **TINY)
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def one_thread():
    """The same sums in the same order."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("one_thread")
def test_a_stopped_training_goes_on_to_the_very_same_weights(people, tmp_path):
    settings = TINY | {"epochs": 8, "d_e": 6}
    whole = tucker.train(people, out="whole", **settings)
    for name in ("by-resume", "by-train", "by-both"):
        with interrupted_after(4), pytest.raises(TrainingStopped) as stopped:
            tucker.train(people, out=name, **settings)
        assert stopped.value.path == Path(name)
        assert str(stopped.value).endswith(f"go on with tucker.resume('{name}')")
        with pytest.raises(tucker.TuckerError, match="has not finished"):
            tucker.load(name)
    runs = [
        tucker.resume("by-resume", **QUIET),
        tucker.train(resume=True, out="by-train", **QUIET),
        tucker.train(people, resume=True, out="by-both", **settings),
    ]
    for run in runs:
        assert weights(run.path) == weights(whole.path)
        assert len(run.journal) == 8
        assert config(run.path) == config(whole.path)


def test_only_what_was_begun_is_resumed(folder, people):
    with pytest.raises(tucker.TuckerError, match="has finished already"):
        tucker.resume(folder, **QUIET)
    with pytest.raises(tucker.TuckerError, match="none is not a run"):
        tucker.resume("none", **QUIET)
    with interrupted_after(1), pytest.raises(TrainingStopped):
        tucker.train(people, out="begun", **TINY)
    with pytest.raises(tucker.TuckerError, match="begun with other settings"):
        tucker.train(people, out="begun", resume=True, **TINY | {"epochs": 4})
    report = tucker.resume("begun", evaluate="test", **QUIET).report
    assert report["test"]["split"] == "test"


def test_a_training_in_memory_that_is_stopped_is_gone(people):
    with interrupted_after(1), pytest.raises(KeyboardInterrupt) as stopped:
        tucker.train(people, **TINY)
    assert not isinstance(stopped.value, TrainingStopped)
