from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.pipeline.conftest import SETTINGS, tiny
from tests.pipeline.test_train import StopAt, same
from tucker.errors import SettingsError
from tucker.evaluation import evaluate
from tucker.mixture import RuleMixture
from tucker.models import MODELS
from tucker.pipeline import train
from tucker.pipeline.recipe import make_recipe
from tucker.prediction import Explainer, discover, predict, rules_of
from tucker.prediction.fold_in import fold_in
from tucker.prediction.inspect import inspect_relations
from tucker.reproduction.results import make_result
from tucker.runs import RunFolder, as_tucker, load_run, save_run
from tucker.runs.convert import largest_difference
from tucker.training import RulesSettings, learn_rules

FEW = {"facts": 64, "weight": 0.5}
COMPLEX = {**SETTINGS, "model": {"name": "complex", "d_e": 6}, "rules": FEW}


def ruled(**changes):
    return tiny(rules=FEW, **changes)


def test_rules_are_added_to_the_trained_model(graph):
    run = train(graph, ruled()).run
    alone = train(graph, tiny()).run
    assert isinstance(run.model, RuleMixture)
    assert same(run.model.embedding, alone.model)
    rules = learn_rules(graph.train, graph.n_e, graph.n_r, RulesSettings(**FEW), seed=0)
    assert same(run.model.rules, rules)
    rules.take_facts(torch.from_numpy(graph.train))
    s, r = torch.cartesian_prod(torch.arange(graph.n_e), torch.arange(2 * graph.n_r)).T
    with torch.no_grad():
        expected = RuleMixture(alone.model, rules, weight=0.5).score_objects(s, r)
        assert run.model.score_objects(s, r).equal(expected)
        assert not expected.equal(alone.model.score_objects(s, r))


def test_the_journal_and_the_result_say_so(graph, tmp_path):
    folder = RunFolder(tmp_path / "run")
    trained = train(graph, ruled(), folder=folder)
    run = trained.run
    assert run.metrics == {"valid": evaluate(run.model, graph, "valid").as_dict()}
    last = run.journal[-1]
    assert last["rules"] == len(run.model.rules.codes)
    assert trained.training.seconds == last["seconds"] + last["rules_seconds"]
    assert load_run(folder.path).journal == run.journal
    result = make_result(run, evaluate(run.model, graph, "test"), recipe="best/ruled")
    assert result.seconds == trained.training.seconds
    assert result.parameters == run.model.count_parameters()


def test_a_loaded_run_gives_bit_equal_scores(graph, tmp_path):
    run = train(graph, ruled(), folder=RunFolder(tmp_path / "run")).run
    loaded = load_run(tmp_path / "run")
    s, r = torch.cartesian_prod(torch.arange(graph.n_e), torch.arange(2 * graph.n_r)).T
    with torch.no_grad():
        assert loaded.model.score_objects(s, r).equal(run.model.score_objects(s, r))
    assert rules_of(loaded) == rules_of(run)


def test_rules_stand_beside_a_sum_as_well(graph, tmp_path):
    beside = {"model": {"name": "complex", "d_e": 6}, "training": {"epochs": 2}}
    recipe = ruled(beside=beside)
    run = train(graph, recipe, folder=RunFolder(tmp_path / "run")).run
    assert same(load_run(tmp_path / "run").model, run.model)
    seconds = [entry["seconds"] for entry in run.journal]
    assert seconds == sorted(seconds)
    assert len(seconds) == 6


@pytest.mark.parametrize("stage", ["", "rules"])
def test_a_stopped_training_goes_on_exactly(graph, tmp_path, stage):
    whole = train(graph, ruled())
    folder = RunFolder(tmp_path / "run")

    def stop(progress):
        if progress.stage == stage and progress.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(graph, ruled(), folder=folder, report=StopAt(9) if not stage else stop)
    resumed = train(folder.graph(), ruled(), folder=folder, resume=True)
    assert same(resumed.run.model, whole.run.model)
    assert same(load_run(folder.path).model, whole.run.model)


def test_commands_that_know_nothing_of_rules(graph, tmp_path):
    run = train(graph, ruled()).run
    name, relation, other = (graph.entities.name(0), graph.relations.name(0), "e1")
    assert {shape.relation for shape in inspect_relations(run)} == set(graph.relations.names)
    assert len(predict(run, subject=name, relation=relation, k=3)) == 3
    best = discover(run, relation, k=5)
    again = predict(run, subject=best[0].subject, relation=relation, k=graph.n_e)
    assert best[0].score == pytest.approx(
        next(one.score for one in again if one.object == best[0].object)
    )
    fact = Explainer(run).explain(name, relation, other)
    assert all(-1.001 <= one.alike.query_cosine <= 1.001 for one in fact.facts)
    with torch.no_grad():
        ids = (torch.tensor([graph.entities.id(x)]) for x in (name, other))
        s, o = ids
        assert fact.score == pytest.approx(float(run.model.score(s, torch.tensor([0]), o)))
    assert same(save_run(run, tmp_path / "saved").model, load_run(tmp_path / "saved").model)


def test_a_new_entity_is_walked_to(graph):
    """Folded in, it has an embedding, and rules follow its facts."""
    run = train(graph, ruled()).run
    facts = [("newcomer", graph.relations.name(r), graph.entities.name(r)) for r in (0, 1)]
    larger = fold_in(run, facts)
    new = larger.graph.entities.id("newcomer")
    assert larger.model.E[: graph.n_e].equal(run.model.E)
    assert same(larger.model.rules, run.model.rules)
    row, entity, _ = larger.model.rules(torch.tensor([new, 0]), torch.tensor([0, 0]))
    assert {0, 1} & set(entity[row == 0].tolist())
    assert len(predict(larger, subject="newcomer", relation=graph.relations.name(0), k=3)) == 3


def test_a_converted_run_keeps_its_rules(graph):
    run = train(graph, make_recipe(COMPLEX)).run
    converted = as_tucker(run)
    assert isinstance(converted.model.embedding, MODELS["tucker"])
    assert largest_difference(run.model, converted.model) < 1e-4


def test_a_run_with_rules_is_trained_further(graph, tmp_path):
    run = train(graph, ruled(), folder=RunFolder(tmp_path / "run")).run
    more = train(graph, ruled(start=str(tmp_path / "run"))).run
    assert not same(more.model.embedding, run.model.embedding)
    assert same(more.model.rules, run.model.rules)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"most": 0}, "rules.most: Input should be greater than or equal to 1 (found 0)"),
        ({"weight": -1}, "rules.weight: Input should be greater than 0 (found -1)"),
        ({"weight": np.inf}, "rules.weight: Input should be a finite number (found inf)"),
        ({"fact": 3}, "there is no setting rules.fact; did you mean rules.facts?"),
        (
            True,
            "rules: Input should be a valid dictionary or instance of RulesSettings (found True)",
        ),
    ],
)
def test_a_fault_is_found_in_its_place(rules, message):
    with pytest.raises(SettingsError) as error:
        make_recipe({"graph": "drawn", "model": {}, "rules": rules})
    assert str(error.value) == message
