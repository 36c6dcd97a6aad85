from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest

from tests.pipeline.conftest import tiny
from tucker.evaluation import evaluate
from tucker.graph import Vocabulary
from tucker.pipeline import train
from tucker.pipeline.report import write_report
from tucker.prediction import predict

ODD = ["<img src=x onerror=alert(1)>", "a|b", "[x](javascript:alert(1))", "**b**", "`c`", "# h"]


def report(graph, path):
    """Train, find and write; return the lines of the report."""
    trained = train(graph, tiny())
    entity, relation = graph.entities.name(0), graph.relations.name(0)
    facts = predict(trained.run, subject=entity, relation=relation, k=99)
    evaluation = evaluate(trained.run.model, graph, "test", by="relation")
    write_report(path, trained, evaluation, facts)
    return trained, evaluation, facts, path.read_text(encoding="utf-8").splitlines()


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def unescaped(text):
    return re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), text)


def named(graph, entities, relation="r|0"):
    names = [*entities, *(f"e{i}" for i in range(len(entities), graph.n_e))]
    return replace(
        graph,
        name="<b>graph</b>",
        entities=Vocabulary("entity", pl.Series(names)),
        relations=Vocabulary("relation", pl.Series([relation, "r1", "r2"])),
    )


def test_figures_and_facts(graph, tmp_path):
    trained, evaluation, facts, lines = report(graph, tmp_path / "report.md")
    assert lines[0] == "# tucker on drawn"
    rows = {cells(line)[0]: cells(line) for line in lines if line.startswith("| ")}
    metrics = evaluation.metrics
    figures = metrics.mrr, metrics.hits_at_1, metrics.hits_at_3, metrics.hits_at_10
    assert rows["all facts"][1:] == [str(metrics.queries), *(f"{value:.3f}" for value in figures)]
    assert set(evaluation.by) <= rows.keys()
    found = [cells(line) for line in lines if line.startswith(f"| {facts[0].subject} |")]
    assert found == [
        [fact.subject, fact.relation, fact.object, f"{fact.probability:.3f}"] for fact in facts
    ]
    assert f"{len(graph.train)} facts to learn from" in " ".join(lines)
    assert f"epoch {trained.training.best_epoch}, the best on the" in " ".join(lines)


def test_the_last_weights_are_called_so(graph, tmp_path):
    trained = train(graph, tiny(training={"keep": "last"}))
    evaluation = evaluate(trained.run.model, graph, "test")
    write_report(tmp_path / "report.md", trained, evaluation, [])
    assert "those of epoch 4, the last." in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_names_stay_text(graph, tmp_path):
    graph = named(graph, ODD)
    _, _, facts, lines = report(graph, tmp_path / "report.md")
    text = "\n".join(lines)
    for part in ("<img", "<b>", "](javascript", "**b**", "`c`"):
        assert part not in text
    tables = [line for line in lines if line.startswith("|")]
    assert {len(cells(line)) for line in tables} == {4, 6}
    found = [[unescaped(cell) for cell in cells(line)] for line in tables]
    for fact in facts:
        assert [fact.subject, fact.relation, fact.object, f"{fact.probability:.3f}"] in found
    assert unescaped(lines[0]) == "# tucker on <b>graph</b>"


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_end_in_a_name_does_not_end_a_row(graph, tmp_path, end):
    _, evaluation, facts, lines = report(named(graph, [f"a{end}b"]), tmp_path / "report.md")
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 2 * 2 + 2 + len(evaluation.by) + len(facts)
    assert all(line.endswith("|") for line in rows)


def test_the_plot_is_shown_if_it_was_drawn(graph, tmp_path):
    pytest.importorskip("matplotlib")
    _, _, _, lines = report(graph, tmp_path / "report.md")
    assert "![validation MRR by epoch](learning.png)" in lines
    assert (tmp_path / "learning.png").read_bytes().startswith(b"\x89PNG")
    bare = replace(graph, valid=graph.valid[:0])
    (tmp_path / "bare").mkdir()
    _, _, _, lines = report(bare, tmp_path / "bare" / "report.md")
    assert not [line for line in lines if "learning.png" in line]
    assert not (tmp_path / "bare" / "learning.png").exists()
