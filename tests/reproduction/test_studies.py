"""Tables 1 and 2, Figures 2 and 3 and Theorem 1: made, kept, and rendered from what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from tests.conftest import make_graph
from tests.pipeline.conftest import tiny
from tucker.errors import ResultError
from tucker.models import MODELS, exact_complex, exact_simple
from tucker.reproduction import figure2, figure3, table1, table2, theorem1
from tucker.reproduction.studies import study
from tucker.reproduction.study import kept


@pytest.mark.parametrize("quoted", table1.QUOTED, ids=lambda one: f"{one.says}, {one.dataset}")
def test_parameters_are_those_that_the_paper_gives(quoted) -> None:  # type: ignore[no-untyped-def]
    rounding = 0.05 if quoted.millions < 50 else 0.05 * quoted.millions  # "18 times", "5.5 times"
    assert quoted.counted() / 1e6 == pytest.approx(quoted.millions, abs=max(0.06, rounding))


def test_table_1_has_every_model() -> None:
    found = study("table1")
    assert [row["model"] for row in found.record["models"]] == list(MODELS)
    tucker = found.record["models"][0]["parameters"]["WN18RR"]
    assert tucker == 200 * 40_943 + 30 * 22 + 200 * 30 * 200 + 4 * 200


def test_what_is_not_kept_is_made_only_on_demand(tmp_path: Path) -> None:
    made = []

    def make() -> dict[str, int]:
        made.append(1)
        return {"figure": 7}

    path = tmp_path / "one.json"
    with pytest.raises(ResultError, match=r"make it with: tucker reproduce one --train"):
        kept(path, make, train=False)
    first = kept(path, make, train=True)
    assert first["figure"] == 7
    assert {"commit", "machine"} < first.keys()
    assert kept(path, make, train=True) == kept(path, make, train=False) == first
    assert len(made) == 1
    path.write_text("[]")
    with pytest.raises(ResultError, match="is no record of a study"):
        kept(path, make, train=True)


def test_table_2_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table2, "load_graph", lambda name: make_graph(n_e=14, n_r=3, facts=160))
    graph = make_graph(n_e=14, n_r=3, facts=160)
    found = study("table2", train=True, results=tmp_path)
    assert found.record["datasets"]["WN18"]["train"] == len(graph.train)
    row = found.sheets[0].rows[0]
    assert row[:4] == ["FB15k", "14", "14,951", "3"]


def test_exact_models_are_exact() -> None:
    graph = make_graph(n_e=7, n_r=3, facts=30)
    facts = torch.from_numpy(graph.known)
    true = torch.zeros(7, 3, 7, dtype=torch.bool)
    true[facts[:, 0], facts[:, 1], facts[:, 2]] = True
    few = facts[:5]
    some = torch.zeros_like(true)
    some[few[:, 0], few[:, 1], few[:, 2]] = True
    s, r = (x.flatten() for x in torch.meshgrid(torch.arange(7), torch.arange(3), indexing="ij"))
    for model, cells, rank in (
        (exact_complex(facts, 7, 3), true, 21),
        (exact_simple(facts, 7, 3), true, 21),
        (exact_simple(few, 7, 3), some, 6),
    ):
        scores = model.score_objects(s, r).view(7, 3, 7)
        torch.testing.assert_close(scores, 2.0 * cells - 1, atol=1e-4, rtol=0)
        assert model.E.shape[1] == 2 * rank


def test_theorem_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theorem1, "_STEPS", 200)
    found = study("theorem1", train=True, results=tmp_path)
    assert [one["wrong"] for one in found.record["exact"]] == [0, 0, 0]
    fitted = {(one["pattern"][:4], one["model"], one["criterion"][:5]): one["least"]
              for one in found.record["fitted"]}  # fmt: skip
    assert fitted["asym", "DistMult", "wrong"] >= 1
    assert fitted["symm", "TransE", "wrong"] >= 1
    assert fitted["symm", "FTransE", "wrong"] >= 1
    assert fitted["asym", "TuckER", "wrong"] == fitted["symm", "TuckER", "wrong"] == 0
    assert fitted["shar", "TransE", "dista"] >= 0.99
    assert fitted["shar", "STransE", "dista"] >= 0.99


def test_figure_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = make_graph(n_e=14, n_r=3, facts=160)
    monkeypatch.setattr(figure2, "load_graph", lambda name: graph)
    found = study("figure2", train=True, results=tmp_path)
    cores = found.record["cores"]
    sizes = {name: (len(cores[name]["entries"]), cores[name]["values"]) for name in cores}
    assert sizes["distmult"] == (12, [1.0])
    assert sizes["complex"] == (24, [-1.0, 1.0])
    assert sizes["simple"] == (12, [0.5])
    assert sizes["cp"] == (6, [1.0])
    assert cores["rescal"]["shape"] == [12, 2 * graph.n_r, 12]
    assert all(one["largest_difference"] < 1e-4 for one in cores.values())
    pytest.importorskip("matplotlib")
    study("figure2", results=tmp_path, plot=tmp_path / "two.svg")
    assert "ComplEx" in (tmp_path / "two.svg").read_text()


def test_figure_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = make_graph(n_e=14, n_r=3, facts=160)
    monkeypatch.setattr(figure3, "load_graph", lambda name: graph)
    monkeypatch.setattr(figure3, "load_recipe", lambda name: tiny())
    monkeypatch.setattr(figure3, "SHOWN", tuple(graph.relations.names[:2]))
    places = {"results": tmp_path, "runs": tmp_path / "runs"}
    found = study("figure3", train=True, **places)  # type: ignore[arg-type]
    assert len(found.record["relations"]) == graph.n_r
    (tmp_path / "figure3.json").unlink()
    again = study("figure3", train=True, **places)  # type: ignore[arg-type]  # the run is there
    assert json.dumps(again.record["matrices"]) == json.dumps(found.record["matrices"])
    pytest.importorskip("matplotlib")
    study("figure3", results=tmp_path, plot=tmp_path / "three.svg")
    assert (tmp_path / "three.svg").exists()


def test_a_table_is_not_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(ResultError, match="table1 is a table, and is not drawn"):
        study("table1", plot=tmp_path / "one.svg")
