from __future__ import annotations

import pytest

from tests.cli.running import process, tucker
from tests.cli.shapes import check_evaluation

RELATIONS = {"knows", "likes", "follows [x]"}


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_json_of_each_split(run, facts, split):
    result = tucker("evaluate", run, "--split", split, "--json")
    report = result.json()
    check_evaluation(report)
    assert (report["split"], report["ties"]) == (split, "realistic")
    assert report["triples"] == tucker("graph", "stats", facts, "--json").json()["triples"][split]
    assert report["seen_only"]["triples"] == report["triples"]  # a split file leaves none unseen
    assert result.err == ""


def test_the_installed_script_prints_nothing_but_json(run):
    result = process("evaluate", run, "--json")
    check_evaluation(result.json())
    assert result.err == ""
    assert result.out == tucker("evaluate", run, "--json").out


@pytest.mark.parametrize(
    ("by", "parts"),
    [("relation", RELATIONS), ("side", {"subject", "object"}), ("category", {"N-N"})],
)
def test_json_of_each_drill_down(run, by, parts):
    report = tucker("evaluate", run, "--split", "train", "--by", by, "--json").json()
    check_evaluation(report, by=parts)
    mrr = sum(part["mrr"] * part["queries"] for part in report["by"].values())
    assert mrr / report["queries"] == pytest.approx(report["mrr"])


def test_ties_are_ordered(run):
    ranks = [
        tucker("evaluate", run, "--ties", ties, "--json").json()["mean_rank"]
        for ties in ("optimistic", "realistic", "pessimistic")
    ]
    assert ranks == sorted(ranks)


def test_tables_show_the_figures_and_names_as_they_are(run):
    result = tucker("evaluate", run, "--split", "train", "--by", "relation")
    report = tucker("evaluate", run, "--split", "train", "--json").json()
    assert (result.code, result.err) == (0, "")
    assert "train split, realistic ties" in result.out
    assert f"{report['mrr']:.3f}" in result.out
    for relation in RELATIONS:
        assert f"│ {relation}" in result.out


def test_the_column_of_triples_counts_triples(run):
    """The heading over the names of the rows is not that of another figure."""
    result = tucker("evaluate", run, "--split", "train")
    report = tucker("evaluate", run, "--split", "train", "--json").json()
    heading = next(line for line in result.out.splitlines() if "MRR" in line)
    row = next(line for line in result.out.splitlines() if line.startswith("│ all"))
    cells = dict(zip(_cells(heading, "┃"), _cells(row, "│"), strict=True))
    assert cells.get("triples", str(report["triples"])) == str(report["triples"])
    assert cells["queries"] == str(report["queries"])


def _cells(line, border):
    return [cell.strip() for cell in line.strip(border).split(border)]
