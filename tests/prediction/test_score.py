from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import tucker
from tests.prediction.conftest import calibrated_run, chance, make_run, score
from tucker.errors import FileError
from tucker.graph import load_graph
from tucker.prediction import asker as module
from tucker.prediction import calibrated, discover, predict
from tucker.prediction.asker import Asker, Judged
from tucker.prediction.score import score_facts
from tucker.runs import load_run
from tucker.runs.chance_curves import CLOSED_BINS, Openness


def believe(run, triples, known=None):
    return Asker(run, known).judge_facts(triples)


def write(path, facts):
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    return path


@pytest.mark.parametrize("numbers", [1, 1 << 20])
def test_every_fact_from_both_sides(run, numbers, monkeypatch):
    monkeypatch.setattr(module, "_SCORES", numbers)
    triples = np.random.default_rng(0).permutation(run.graph.known)
    belief = believe(run, triples)
    n_r = run.graph.n_r
    for fact, phi, probability in zip(triples.tolist(), belief.scores, belief.chances, strict=True):
        s, r, o = fact
        assert float(phi) == pytest.approx(score(run, s, r, o), abs=1e-5)
        both = chance(run, s, r, o), chance(run, o, r + n_r, s)
        assert float(probability) == pytest.approx(min(both), abs=1e-5)


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_a_new_fact_is_as_probable_as_its_answers_and_their_questions_allow(method):
    run = calibrated_run(method)
    graph, openness = run.graph, run.calibration.openness
    known = set(map(tuple, graph.known.tolist()))
    triples = [(s, r, 7) for s in (1, 4) for r in range(3) if (s, r, 7) not in known]
    found = believe(run, np.array(triples))
    for i, (s, r, o) in enumerate(triples):
        objects = predict(run, subject=f"e{s}", relation=f"r{r}", k=99)
        subjects = predict(run, relation=f"r{r}", object=f"e{o}", k=99)
        (forth,) = (one.probability for one in objects if one.object == f"e{o}")
        (back,) = (one.probability for one in subjects if one.subject == f"e{s}")
        lesser = min(
            forth * openness.chance(*np.array([[r], [graph.n_e - len(objects)]]))[0],
            back * openness.chance(*np.array([[r + graph.n_r], [graph.n_e - len(subjects)]]))[0],
        )
        assert float(found.lesser[i]) == pytest.approx(lesser, abs=1e-6)
        of_fact = run.calibration.facts.chance(lesser)
        assert float(found.chances[i]) == pytest.approx(of_fact, abs=1e-5)


@pytest.mark.parametrize("fitted", [True, False])
@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_a_discovered_fact_is_scored_as_probable_as_it_was_found(method, fitted, tmp_path):
    run = calibrated_run(method, fitted=fitted)
    found = discover(run, k=1000)
    facts = [(one.subject, one.relation, one.object) for one in found]
    scored = [one.fact for one in score_facts(run, write(tmp_path / "facts.tsv", facts))]
    chances = [one.probability for one in found]
    assert [one.probability for one in scored] == pytest.approx(chances, abs=1e-5)
    assert chances == sorted(chances, reverse=True)
    assert [one.rank for one in scored] == [one.rank for one in found]


def test_a_file_in_its_order(run, tmp_path):
    s, r, o = run.graph.train[0]
    facts = [("e3", "r0", "e4"), (f"e{s}", f"r{r}", f"e{o}"), ("Entity one", "r1", "e2")]
    found = score_facts(run, write(tmp_path / "facts.tsv", facts))
    assert [one.fact.subject for one in found] == ["e3", f"e{s}", "e1"]
    assert found[1].known
    assert sorted(one.fact.rank for one in found) == [1, 2, 3]
    first = min(found, key=lambda one: one.fact.rank)
    assert first.fact.probability == max(one.fact.probability for one in found)
    assert found[0].as_dict() == {**found[0].fact.as_dict(), "known": found[0].known}


def test_equally_probable_facts_are_ranked_by_evidence_and_then_as_they_stand():
    lesser = torch.tensor([0.2, 0.5, 0.2, 0.2, 0.9])
    evidence = torch.tensor([-3.0, -9.0, -1.0, -3.0, -9.0])
    judged = Judged(lesser, evidence, lesser, lesser)
    assert judged.ranks() == [4, 2, 3, 5, 1]


def test_known_facts_are_those_of_every_split(run, tmp_path):
    known = set(map(tuple, run.graph.known.tolist()))
    every = [(s, r, o) for s in range(12) for r in range(3) for o in range(12)]
    names = [(f"e{s}", f"r{r}", f"e{o}") for s, r, o in every]
    found = score_facts(run, write(tmp_path / "facts.tsv", names))
    assert [one.known for one in found] == [fact in known for fact in every]


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (("e99", "r0", "e1"), r"facts.tsv:2: subject: the graph has no entity 'e99'; did you mean"),
        (("e1", "r9", "e1"), r"facts.tsv:2: relation: the graph has no relation 'r9'"),
        (("e1", "r0", "nobody"), r"facts.tsv:2: object: the graph has no entity 'nobody'"),
    ],
)
def test_an_unknown_name_is_told_with_its_line(tmp_path, fact, message):
    path = write(tmp_path / "facts.tsv", [("e1", "r0", "e2"), fact])
    with pytest.raises(FileError, match=message):
        score_facts(make_run(), path)


@pytest.mark.parametrize("shut", [0, 1])
@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_a_known_fact_is_as_probable_as_if_it_were_not_known(method, shut):
    run = calibrated_run(method)
    counts = np.full((2, 2 * run.graph.n_r, CLOSED_BINS), 30)
    counts[1, :, shut::2] = 0  # every other kind of question was never open
    calibration = replace(run.calibration, openness=Openness(*counts))
    run = replace(run, calibration=calibration)
    for fact in run.graph.known:
        others = run.graph.known[(run.graph.known != fact).any(axis=1)]
        found, expected = believe(run, fact[None]), believe(run, fact[None], others)
        assert float(found.chances) == pytest.approx(float(expected.chances), abs=1e-6)


def test_known_facts_are_more_probable_than_corrupted_ones(tmp_path):
    people = range(60)
    facts = [(f"p{a}", "in", f"group{a % 3}") for a in people]  # one group each: then it is shut
    facts += [(f"p{a}", "likes", f"p{(a + step) % 60}") for a in people for step in (3, 6, 9)]
    graph = load_graph(write(tmp_path / "graph.tsv", facts))
    settings = {"d_e": 16, "d_r": 4, "epochs": 60, "validate_every": 20}
    tucker.train(graph, out=tmp_path / "run", progress=False, **settings)
    run = calibrated(load_run(tmp_path / "run")).run
    known = run.graph.known[run.graph.known[:, 1] == run.graph.relations.id("in")]
    groups = np.unique(known[:, 2])
    corrupted = known.copy()
    corrupted[:, 2] = groups[(np.searchsorted(groups, known[:, 2]) + 1) % 3]
    medians = [float(believe(run, triples).chances.median()) for triples in (known, corrupted)]
    assert medians[0] > 0.05 > 10 * medians[1]
