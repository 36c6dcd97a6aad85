from __future__ import annotations

import json

import numpy as np
import pytest
import yaml

from tests.cli.running import QUICK, refused, tucker
from tests.cli.shapes import check_evaluation, check_report
from tucker.graph import load_graph
from tucker.runs import RunFolder


def test_json_is_all_of_stdout(trained):
    run, result = trained
    report = result.json()
    assert result.out.startswith("{")
    assert result.err == ""
    check_report(report, test=True)
    assert report["run"] == str(run)
    assert report["epochs"] == 3
    assert 1 <= report["best_epoch"] <= 3
    assert report["seconds"] > 0
    assert report["pairs_per_second"] > 0
    assert 50 < report["peak_memory_mb"] < 10_000
    assert report["valid"]["split"] == "valid"
    assert report["test"]["split"] == "test"


def test_the_run_holds_what_was_trained(trained):
    run, result = trained
    config = yaml.safe_load((run / "config.yaml").read_text(encoding="utf-8"))
    assert config["model"]["name"] == "tucker"
    assert (config["model"]["d_e"], config["model"]["d_r"]) == (8, 4)
    assert (config["training"]["epochs"], config["seed"]) == (3, 0)
    assert json.loads((run / "metrics.json").read_text()) == {"valid": result.json()["valid"]}
    journal = [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]
    assert [entry["epoch"] for entry in journal] == [1, 2, 3]
    assert all(
        {"loss", "learning_rate", "seconds", "valid_mrr"} <= entry.keys() for entry in journal
    )
    assert max(entry["valid_mrr"] for entry in journal) == result.json()["valid"]["mrr"]
    assert not (run / "checkpoints").exists()
    assert not [path for path in run.iterdir() if path.name.startswith(".")]


def test_without_json_a_table_goes_to_stdout_and_the_rest_to_stderr(facts):
    result = tucker("train", "--graph", facts, "--out", "mine", *QUICK)
    assert result.code == 0
    assert "Hits@10" in result.out
    assert "valid" in result.out
    assert "test" not in result.out
    assert result.err == "the run is in mine; ask it with: tucker predict mine --help\n"


def test_what_follows_is_counted_before_it_is_learned(tmp_path):
    facts = [(f"a{i}", "has", f"b{i}") for i in range(30)]
    facts += [(o, "of", s) for s, _, o in facts[2:]]
    path = tmp_path / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts))
    words = ["train", "--graph", path, *QUICK, "--set", "training.implied=0.5", "--json"]
    err = tucker(*words, "--out", "mine").err
    train = len(load_graph(path).train)
    assert (
        f"note: facts that follow from the training facts, and are learned too: {60 - train}" in err
    )


def test_the_test_split_is_reported_only_when_asked_for(facts):
    report = tucker("train", "--graph", facts, "--out", "mine", "--json", *QUICK).json()
    check_report(report, test=False)


def test_the_reported_figures_are_those_of_evaluate(trained):
    run, result = trained
    report = result.json()
    assert tucker("evaluate", run, "--json").json() == report["test"]
    assert tucker("evaluate", run, "--json", "--split", "valid").json() == report["valid"]


def test_without_out_a_free_folder_under_runs_is_taken(facts, tmp_path):
    first = tucker("train", "--graph", facts, "--json", *QUICK).json()
    second = tucker("train", "--graph", facts, "--json", *QUICK).json()
    assert (first["run"], second["run"]) == ("runs/facts", "runs/facts-2")
    assert (tmp_path / "runs" / "facts-2" / "manifest.json").exists()


def test_the_seed_option_is_the_seed_setting(facts, tmp_path):
    for name, words in {
        "option": ["--seed", "7"],
        "setting": ["--set", "seed=7"],
        "other": ["--seed", "8"],
    }.items():
        assert tucker("train", "--graph", facts, "--out", name, *QUICK, *words).code == 0
    weights = {
        name: (tmp_path / name / "model.safetensors").read_bytes()
        for name in ("option", "setting", "other")
    }
    assert weights["option"] == weights["setting"] != weights["other"]


def test_two_models_side_by_side_are_one_run(facts, tmp_path):
    (tmp_path / "recipe.yaml").write_text(
        f"graph: {facts}\nmodel: {{name: tucker, d_e: 9, d_r: 4}}\n"
        "training: {epochs: 2, loss: softmax}\n"
        "beside: {model: {name: complex, d_e: 6}, training: {epochs: 3, loss: softmax}}\n"
    )
    result = tucker("train", "recipe.yaml", "--out", "both", "--json")
    assert result.json()["epochs"] == 5
    assert tucker("evaluate", "both", "--split", "valid", "--json").json() == result.json()["valid"]
    assert "a recipe with `beside` cannot" in tucker("train", "--from", "both").err
    assert "the sum of two models cannot become one TuckER" in tucker("convert", "both").err


def test_a_recipe_file_with_changes(facts, tmp_path):
    (tmp_path / "recipe.yaml").write_text(
        f"graph: {facts}\nseed: 3\nmodel: {{name: tucker, d_e: 9, d_r: 4}}\n"
        "training: {epochs: 50, loss: softmax}\n"
    )
    words = ["--set", "training.epochs=2", "--set", "training.learning_rate=1e-2"]
    report = tucker("train", "recipe.yaml", "--out", "mine", "--json", *words).json()
    assert report["epochs"] == 2
    config = yaml.safe_load((tmp_path / "mine" / "config.yaml").read_text())
    assert config["seed"] == 3
    assert config["model"]["d_e"] == 9
    assert config["training"]["loss"] == "softmax"
    assert config["training"]["learning_rate"] == 0.01


def test_a_new_run_says_the_version_of_its_split_and_an_older_config_keeps_its_own(
    facts, run, tmp_path
):
    config = yaml.safe_load((run / "config.yaml").read_text())
    assert config["split_version"] == 2
    old = tmp_path / "old"
    before = load_graph(facts, split_version=1)
    RunFolder(old).begin({key: config[key] for key in config if key != "split_version"}, before)
    for recipe, out in ((old / "config.yaml", "again"), (run / "config.yaml", "new")):
        assert tucker("train", recipe, "--out", out, *QUICK).code == 0
    assert np.array_equal(RunFolder("again").graph().test, before.test)
    assert RunFolder("again").config()["split_version"] == 1
    assert np.array_equal(RunFolder("new").graph().test, load_graph(facts).test)
    assert not np.array_equal(before.test, load_graph(facts).test)
    words = ["train", run / "config.yaml", "--set", "split_version=1", "--out", "asked"]
    assert tucker(*words, *QUICK).code == 0
    assert np.array_equal(RunFolder("asked").graph().test, before.test)


def test_the_graph_option_goes_before_the_recipe(facts, tmp_path):
    (tmp_path / "recipe.yaml").write_text("graph: world\nmodel: {d_e: 8, d_r: 4}\n")
    words = ["train", "recipe.yaml", "--graph", facts, "--out", "mine", *QUICK]
    assert tucker(*words).code == 0
    stats = tucker("graph", "stats", facts, "--json").json()
    entities = len(tucker("predict", "mine", "--relation", "likes", "--object", "p3", "-k", "99",
                          "--json").json())  # fmt: skip
    assert entities < stats["entities"] < 30
    config = yaml.safe_load((tmp_path / "mine" / "config.yaml").read_text())
    assert config["graph"] == str(facts)


def test_the_graph_of_a_run_is_the_one_that_its_config_names(facts, tmp_path):
    """A changed graph is either the one trained on or refused, never just written down."""
    words = ["train", "--graph", facts, "--out", "mine", "--set", "graph=world", *QUICK]
    result = tucker(*words)
    if result.code == 0:
        config = yaml.safe_load((tmp_path / "mine" / "config.yaml").read_text())
        entity = "Norway" if config["graph"] == "world" else "p3"
        question = ["--relation", "borders" if entity == "Norway" else "likes", "--object", entity]
        assert tucker("predict", "mine", *question).code == 0
    else:
        assert "graph" in refused(result)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("training.epoch=3", "no setting training.epoch; did you mean training.epochs?"),
        ("trainin.epochs=3", "no setting trainin; did you mean training?"),
        ("model.de=3", "no setting model.de; did you mean model.d_e?"),
        ("model.n_e=3", "no setting model.n_e; did you mean model.d_e?"),
        ("sed=3", "no setting sed; did you mean seed?"),
        ("training.zzz=1", "no setting training.zzz; known are training.epochs, "),
        ("training.epochs=0", "training.epochs: Input should be greater than or equal to 1 "),
        ("training.epochs=1.5", "(found 1.5)"),
        ("training.batch_size=1", "training.batch_size: "),
        ("training.patience=-1", "training.patience: "),
        ("training.decay=1.1", "training.decay: "),
        ("training.label_smoothing=1", "training.label_smoothing: "),
        ("training.learning_rate=abc", "training.learning_rate: "),
        ("training.learning_rate=0", "training.learning_rate: "),
        ("training.learning_rate=.nan", "training.learning_rate: "),
        ("training.loss=mse", "'bernoulli' or 'softmax' (found 'mse')"),
        ("model.dropout_query=1.5", "model.dropout_query is 1.5: a dropout lies from 0 to below 1"),
        ("model.dropout_subject=-0.1", "model.dropout_subject is -0.1: a dropout lies from 0"),
        ("model.dropout_relation=1", "model.dropout_relation is 1"),
        ("model.d_e=0", "model.d_e is 0: it must be at least 1"),
        ("model.d_r=-3", "model.d_r is -3: it must be at least 1"),
        ("model.d_e=", "model.d_e: Input should be a valid integer (found None)"),
        ("model.name=tuker", "no model 'tuker'; did you mean tucker?"),
        ("seed=-1", "seed: Input should be greater than or equal to 0 (found -1)"),
        ("training=3", "training: "),
        ("model=tucker", "model: "),
        ("training.epochs", "--set takes key=value, such as training.epochs=5"),
        ("=3", "--set takes key=value"),
        ("training.epochs=[", "--set training.epochs=[: the value cannot be read"),
    ],
)
def test_a_bad_setting_is_refused_and_nothing_is_written(facts, tmp_path, change, message):
    result = tucker("train", "--graph", facts, "--out", "mine", "--set", change)
    assert message in refused(result)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "nearest"),
    [
        ("d_e=5", "model.d_e"),
        ("epochs=5", "training.epochs"),
        ("learning_rate=0.1", "training.learning_rate"),
    ],
)
def test_a_setting_without_its_section_is_told_where_it_belongs(facts, change, nearest):
    assert nearest in refused(tucker("train", "--graph", facts, "--out", "mine", "--set", change))


def test_an_unknown_model_is_refused(facts, tmp_path):
    result = tucker("train", "--graph", facts, "--out", "mine", "--model", "rescl")
    assert "there is no model 'rescl'" in refused(result)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"graph: [\n", "recipe.yaml:2: is not YAML"),
        (b"graph: \xff\n", "recipe.yaml: is not YAML"),
        (b"world\n", "recipe.yaml: a recipe has keys such as graph, model and training"),
        (b"", "recipe.yaml: a recipe has keys such as"),
        (b"model: {d_e: 8}\n", "say what to train on"),
        (b"graph: world\n", "the recipe does not say its model"),
        (b"graph: world\nmodel: {d_e: 8}\nepochs: 3\n", "there is no setting epochs"),
    ],
)
def test_a_bad_recipe_is_refused(tmp_path, content, message):
    (tmp_path / "recipe.yaml").write_bytes(content)
    assert message in refused(tucker("train", "recipe.yaml", "--out", "mine"))
    assert not (tmp_path / "mine").exists()


def test_a_missing_recipe_is_refused():
    assert refused(tucker("train", "none.yaml")).startswith("none.yaml: cannot be read (No such")


def test_training_on_nothing_is_refused():
    assert "--graph PATH" in refused(tucker("train", "--out", "mine"))


def test_an_existing_folder_is_refused_and_left_alone(facts, copy):
    before = {path.name: path.read_bytes() for path in copy.iterdir()}
    result = tucker("train", "--graph", facts, "--out", copy, *QUICK)
    assert refused(result).startswith(f"{copy} exists already: choose another folder")
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == before


def test_an_empty_folder_may_be_filled(facts, tmp_path):
    (tmp_path / "mine").mkdir()
    assert tucker("train", "--graph", facts, "--out", "mine", *QUICK).code == 0


def test_a_file_in_the_way_is_refused(facts, tmp_path):
    (tmp_path / "mine").write_text("precious")
    assert "mine exists already" in refused(tucker("train", "--graph", facts, "--out", "mine"))
    assert "cannot be written" in refused(tucker("train", "--graph", facts, "--out", "mine/run"))
    assert (tmp_path / "mine").read_text() == "precious"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "none"], "none is not a run: it has no config.yaml"),
        ([], "--resume needs --out RUN"),
        (["--out", "none", "--graph", "world"], "--resume takes its settings from the run"),
        (["--out", "none", "--set", "seed=1"], "--resume takes its settings from the run"),
        (["--out", "none", "--seed", "0"], "--resume takes its settings from the run"),
        (["--out", "none", "--model", "tucker"], "--resume takes its settings from the run"),
    ],
)
def test_a_resumption_of_nothing_is_refused(tmp_path, words, message):
    assert message in refused(tucker("train", "--resume", *words))
    assert list(tmp_path.iterdir()) == []


def test_a_finished_run_is_not_resumed(run):
    assert "has finished already" in refused(tucker("train", "--resume", "--out", run))


def test_diverging_says_what_to_try(facts):
    words = ["--set", "training.learning_rate=1e30", "--set", "training.epochs=20"]
    message = refused(tucker("train", "--graph", facts, "--out", "mine", *QUICK, *words))
    assert "no longer finite" in message
    assert "try a smaller training.learning_rate (now 1e+30)" in message


def test_a_graph_too_small_to_hold_anything_out_is_trained_without_figures(tmp_path):
    (tmp_path / "two.tsv").write_text("a\tr\tb\nb\tr\tc\n")
    words = ["train", "--graph", "two.tsv", "--out", "mine", "--json", *QUICK]
    result = tucker(*words)
    report = result.json()
    assert "valid" not in report
    assert report["epochs"] == 3
    assert "Held out 0 triples" not in result.out
    assert "no test facts" in refused(tucker("evaluate", "mine"))


@pytest.mark.parametrize(
    "words", [["--graph", "two.tsv"], ["--from", "mine"], ["--from", "mine", "--add", "two.tsv"]]
)
def test_a_test_split_that_is_not_there_is_missed_before_training(tmp_path, words):
    (tmp_path / "two.tsv").write_text("a\tr\tb\nb\tr\tc\n")
    assert tucker("train", "--graph", "two.tsv", "--out", "mine", *QUICK).code == 0
    message = refused(tucker("train", *words, "--out", "new", "--evaluate", "test"))
    assert message.endswith("has no test facts to evaluate on")
    assert not (tmp_path / "new").exists()


def test_a_test_split_that_is_not_there_is_missed_before_going_on(tmp_path):
    (tmp_path / "two.tsv").write_text("a\tr\tb\nb\tr\tc\n")
    assert tucker("train", "--graph", "two.tsv", "--out", "mine", *QUICK).code == 0
    message = refused(tucker("train", "--resume", "--out", "mine", "--evaluate", "test"))
    assert message.endswith("has no test facts to evaluate on")


def test_evaluation_shapes_are_checked_by_these_tests(run):
    """The checks of shapes can fail."""
    report = tucker("evaluate", run, "--json").json()
    with pytest.raises(AssertionError):
        check_evaluation(report | {"mrr": "0.3"})
    with pytest.raises(AssertionError):
        check_evaluation(report | {"extra": 1})


def test_training_goes_on_with_new_facts_and_names(run, tmp_path):
    facts = tmp_path / "facts.tsv"
    facts.write_text("stranger\tknows\tp1\np2\tlikes\tstranger\n")
    words = ["--set=training.epochs=1", "--out", tmp_path / "on", "--json"]
    assert tucker("train", "--from", run, "--add", facts, *words).code == 0
    answers = tucker("predict", tmp_path / "on", "--subject", "stranger", "--relation", "knows")
    assert answers.code == 0
    assert "give the run with --from" in refused(tucker("train", "--add", facts))
