from __future__ import annotations

import json
from pathlib import Path

import pytest

from tucker.errors import ResultError
from tucker.models import MODELS
from tucker.reproduction.family import family_table
from tucker.reproduction.published import FIGURES
from tucker.reproduction.results import load_results

REPORTED = Path(__file__).parents[2] / "results" / "benchmarks" / "family-peers.json"
TEST = {"mrr": 0.9, "hits_at_1": 0.8, "hits_at_3": 0.9, "hits_at_10": 1}


def write_peers(path: Path, **found: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": "9.9", **found}))
    return path


def test_a_peer_has_the_name_and_the_kind_of_our_model(tmp_path):
    path = write_peers(
        tmp_path / "x.json", umls={"complex": {"test": TEST}, "rgcn": {"test": TEST}}
    )
    table = family_table(path)
    assert table.datasets == ("umls", "kinship")
    assert table.rows["kinship"] == ()
    assert [(row.model, row.linear) for row in table.rows["umls"]] == [
        ("ComplEx", True),
        ("RGCN", False),
    ]
    assert table.rows["umls"][0].as_dict().items() >= TEST.items()
    assert table.source.startswith("PyKEEN 9.9")


def test_nothing_measured_is_an_empty_table(tmp_path):
    assert family_table(tmp_path / "none.json").rows == {"umls": (), "kinship": ()}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": "1", "umls": {"cp": {}}}', '{"version": "1", "umls": 3}']
)
def test_a_file_without_peers_is_refused(tmp_path, text):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ResultError, match=r"bad\.json: holds no peers \(.*make bench-family-peers"):
        family_table(path)


def test_the_peers_reported_here():
    table = family_table(REPORTED)
    missing = {"hyper", "analogy", "stranse", "ftranse"}  # not there, or not measured
    for rows in table.rows.values():
        assert {row.model.casefold() for row in rows} == MODELS.keys() - missing
    found = json.loads(REPORTED.read_bytes())
    for dataset in table.datasets:
        for peer in found[dataset].values():
            best = max(peer["tried"], key=lambda one: one["valid_mrr"])  # chosen without the test
            assert peer["settings"] == best["settings"]
            assert peer["test"].keys() == set(FIGURES)


def test_no_model_falls_short_of_its_peer():
    """By more than .02 of test MRR, which one seed does not tell apart."""
    table = family_table(REPORTED)
    peers = {(d, row.model.casefold()): row.mrr for d, rows in table.rows.items() for row in rows}
    found = {(r.dataset, r.model): r.test.mrr for r in load_results(REPORTED.parents[1] / "family")}
    assert {(d, name) for d in table.datasets for name in MODELS} == found.keys()
    assert {key for key, mrr in peers.items() if found[key] < mrr - 0.02} == set()
