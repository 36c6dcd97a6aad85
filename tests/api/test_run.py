from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch

import tucker
from tests.api.conftest import TINY
from tests.cli.running import tucker as command
from tests.conftest import make_graph
from tucker.files import sha256

NEW = [("stranger", "knows", "p1"), ("p2", "likes", "stranger")]


@pytest.fixture(scope="module")
def run(drawn) -> tucker.Run:
    return tucker.train(drawn, **TINY)


@pytest.mark.parametrize("owner", [tucker.Run, tucker.Graph])
def test_every_public_member_is_explained(owner):
    for name, member in vars(owner).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            assert inspect.getdoc(member), f"{owner.__name__}.{name}"


def test_a_run_in_memory(run):
    assert run.path is None
    assert run.graph.name == "drawn"
    assert (run.config["model"]["d_e"], run.config["training"]["epochs"]) == (8, 3)
    assert len(run.journal) == 3
    assert isinstance(run.model, torch.nn.Module)
    assert run.metrics["valid"]["mrr"] == run.evaluate("valid").mrr


def test_evaluate(run):
    test = run.evaluate()
    assert test.split == "test"
    assert 0 < test.mrr <= 1
    assert test.as_dict() == run.evaluate("test", ties="realistic").as_dict()
    assert set(run.evaluate(by="side").by) == {"subject", "object"}
    best, worst = run.evaluate(ties="optimistic").mrr, run.evaluate(ties="pessimistic").mrr
    assert best >= test.mrr >= worst


def test_predict(run):
    answers = run.predict(subject="e1", relation="r0", k=3)
    assert [answer.rank for answer in answers] == [1, 2, 3]
    assert all(answer.subject == "e1" and answer.relation == "r0" for answer in answers)
    assert len(run.predict(relation="r0", object="e1")) <= 10
    assert {answer.object for answer in run.predict(subject="e1", object="e2")} == {"e2"}
    with pytest.raises(tucker.TuckerError, match="did you mean 'e1"):
        run.predict(subject="e111", relation="r0")


def test_saved_and_loaded(run, tmp_path):
    path = tmp_path / "new" / "run"
    run.save(path)
    loaded = tucker.load(str(path))
    assert loaded.path == path
    assert loaded.config == run.config
    assert loaded.journal == run.journal
    assert loaded.metrics == run.metrics
    assert loaded.evaluate().as_dict() == run.evaluate().as_dict()
    assert loaded.predict(subject="e1", relation="r0") == run.predict(subject="e1", relation="r0")
    with pytest.raises(tucker.TuckerError, match="exists already"):
        run.save(path)
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again" / "model.safetensors").read_bytes() == (
        path / "model.safetensors"
    ).read_bytes()


def test_calibrated_discovered_scored_and_classified(tmp_path):
    pairs = [(a, 0, b) for a in range(14) for b in range(14) if a != b and a % 2 == b % 2]
    facts = np.random.default_rng(0).permutation(np.array(pairs))
    graph = dataclasses.replace(
        make_graph(n_e=14, n_r=1), train=facts[20:], valid=facts[:10], test=facts[10:20]
    )
    run = tucker.train(graph, **(TINY | {"epochs": 60, "validate_every": 20}))
    assert run.calibration is None
    result = run.calibrate("platt")
    assert run.calibration == "platt"
    assert run.reliability().as_dict() == result.test.as_dict()
    assert not run.facts_calibrated  # ten validation facts are too few
    run.save(tmp_path / "run")
    loaded = tucker.load(tmp_path / "run")
    assert loaded.calibration == "platt"
    assert loaded.predict(subject="e1", relation="r0") == run.predict(subject="e1", relation="r0")
    assert loaded.discover(k=5) == run.discover(k=5)
    assert loaded.classify() == run.classify()
    loaded.calibrate(plot="reliability.svg")
    assert Path("reliability.svg").read_text(encoding="utf-8").count("<svg") == 1
    assert tucker.load(tmp_path / "run").calibration == "isotonic"


def test_facts_in_any_form_are_scored_alike(run, tmp_path):
    facts = [("e1", "r0", "e2"), ("e3", "r1", "e4")]
    (tmp_path / "facts.tsv").write_text("".join("\t".join(fact) + "\n" for fact in facts))
    names = ("subject", "relation", "object")
    table = pl.DataFrame(facts, schema=names, orient="row").select(reversed(names))
    scored = run.score(facts)
    assert [(one.fact.subject, one.fact.relation, one.fact.object) for one in scored] == facts
    for form in (iter(facts), table, str(tmp_path / "facts.tsv"), tmp_path / "facts.tsv"):
        assert run.score(form) == scored
    assert run.score_file(tmp_path / "facts.tsv") == scored
    with pytest.raises(tucker.TuckerError, match="fact 2: object: the graph has no entity 'zz'"):
        run.score([facts[0], ("e1", "r0", "zz")])
    with pytest.raises(tucker.TuckerError, match="is not a fact: give subject"):
        run.score([("e1", "r0")])
    with pytest.raises(tucker.TuckerError, match="lacks the column object"):
        run.score(table.drop("object"))


def test_the_picture_of_a_reliability_is_checked_first(run):
    with pytest.raises(tucker.TuckerError, match=r"a plot must be one of \.svg"):
        run.calibrate(plot="reliability.txt")
    assert run.calibration is None


def test_explained_and_near(run):
    assert run.explain("e1", "r0", "e2", k=2).subject == "e1"
    assert [one.rank for one in run.neighbours("e1", k=3)] == [1, 2, 3]
    with pytest.raises(tucker.TuckerError, match="has no rules: train with --set"):
        run.rules()


def test_discovery_says_how_far_it_is(run):
    shares = []
    assert len(run.discover(relation="r1", subject="e3", k=4, report=shares.append)) <= 4
    assert shares[-1] == 1.0


def test_looking_inside(run):
    shapes = run.inspect()
    assert {shape.relation for shape in shapes} == {"r0", "r1", "r2"}
    assert run.inspect("r1")[0] in shapes
    assert [one.relation for one in run.inspect(["r2", "r0", "r2"])] == ["r2", "r0"]
    assert run.relation_matrix("r1").shape == (8, 8)
    run.inspect(["r0", "r1"], plot="shapes.svg")
    assert Path("shapes.svg").read_text(encoding="utf-8").count("<image") >= 2
    with pytest.raises(tucker.TuckerError, match="say which relations to plot"):
        run.inspect(plot="all.svg")
    assert not Path("all.svg").exists()


def test_another_model_becomes_a_tucker_and_is_trained_on(tmp_path):
    words = {key: TINY[key] for key in TINY if key != "d_r"}
    run = tucker.train(make_graph(n_e=14, facts=160), model="complex", **words)
    converted = run.as_tucker()
    assert converted.path is None
    assert converted.config["model"]["name"] == "tucker"
    assert converted.evaluate().as_dict() == run.evaluate().as_dict()
    with pytest.raises(tucker.TuckerError, match="save this one first"):
        converted.train_on()
    converted.save(tmp_path / "run")
    further = converted.train_on(epochs=2, learning_rate=1e-9, progress=False)
    assert further.config["start"] == str(tmp_path / "run")
    assert further.config["training"]["epochs"] == 2
    torch.testing.assert_close(further.model.E, run.model.E)
    written = run.convert(out=True)
    assert (written.path, written.config["model"]["name"]) == (Path("runs/drawn-tucker"), "tucker")
    assert 0 <= run.largest_difference(written) < 1e-4
    assert run.largest_difference(run) == 0
    with pytest.raises(tucker.TuckerError, match="runs/drawn-tucker exists already"):
        run.convert(out="runs/drawn-tucker")


def test_new_facts_are_folded_in(folder, tmp_path):
    run = tucker.load(folder)
    larger = run.fold_in(NEW)
    assert (larger.path, larger.graph.n_e) == (None, run.graph.n_e + 1)
    assert len(larger.graph.train) == len(run.graph.train) + 2
    Path("new.tsv").write_text("".join("\t".join(fact) + "\n" for fact in NEW))
    written = run.fold_in("new.tsv", out="larger")
    assert written.path == Path("larger")
    torch.testing.assert_close(written.model.E, larger.model.E)
    assert tucker.load("larger").predict(subject="stranger", relation="likes", k=1)
    with pytest.raises(tucker.TuckerError, match="larger exists already"):
        run.fold_in([("p1", "no such relation", "p2")], out="larger")  # asked before anything


@pytest.mark.parametrize("form", ["file", "table", "triples"])
def test_training_goes_on_with_more_facts(folder, tmp_path, form):
    Path("new.tsv").write_text("".join("\t".join(fact) + "\n" for fact in NEW))
    facts = {"file": "new.tsv", "table": pl.DataFrame(NEW, orient="row"), "triples": NEW}[form]
    if form == "table":
        facts.columns = ["subject", "relation", "object"]
    words = ["--from", folder, "--add", "new.tsv", "--set=training.epochs=2", "--seed=3"]
    assert command("train", *words, "--out", "by-command").code == 0
    before = sha256(folder / "model.safetensors")
    run = tucker.load(folder).continue_with(
        facts, out="by-python", epochs=2, seed=3, evaluate="test", progress=False
    )
    same = [sha256(Path(name) / "model.safetensors") for name in ("by-command", "by-python")]
    assert same[0] == same[1]
    assert run.config["start"] == str(folder)
    assert (run.config["training"]["epochs"], run.config["seed"]) == (2, 3)
    assert run.config["model"] == tucker.load(folder).config["model"]
    assert "stranger" in run.graph.entities.names
    assert run.report["test"] == run.evaluate().as_dict()
    assert sha256(folder / "model.safetensors") == before


def test_training_goes_on_without_new_facts(folder):
    run = tucker.load(folder)
    on = run.train_on(epochs=1, progress=False)
    same = run.continue_with(set={"training.epochs": 1}, out=True, progress=False)
    assert (on.path, same.path) == (None, Path("runs/people"))
    torch.testing.assert_close(on.model.E, same.model.E)
    assert not on.model.E.equal(run.model.E)
    with pytest.raises(tucker.TuckerError, match="there is no setting epoch; did you mean epochs"):
        run.continue_with(epoch=1)


def test_progress_says_what_was_added(folder, capfd):
    tucker.load(folder).continue_with(NEW, epochs=1)
    assert "note: Added 2 facts and 1 entities.\n" in capfd.readouterr().err


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(tucker.TuckerError, match=r"is not a run: it has no manifest.json"):
        tucker.load(tmp_path)
