from __future__ import annotations

import numpy as np
import pytest

from tests.graph.forms import FORMS, iri_facts
from tucker.errors import GraphError
from tucker.graph import SPLITS, load_graph, read_facts
from tucker.graph.rewrite import convert_graph, split_graph


@pytest.fixture
def facts(tmp_path):
    return FORMS["facts.tsv"](tmp_path, iri_facts(), "facts.tsv")


def rows(path):
    return read_facts(path).table.select("subject", "relation", "object").rows()


def same(graph, other):
    return all(np.array_equal(graph.split(split), other.split(split)) for split in SPLITS)


def test_a_split_is_that_of_the_loaded_file_and_reads_back_as_it(facts, tmp_path):
    shares = {"valid": 0.2, "test": 0.05, "seed": 3}
    graph = split_graph(facts, tmp_path / "splits", **shares)
    assert [len(graph.split(split)) for split in SPLITS] == [90, 24, 6]
    assert same(graph, load_graph(facts, **shares))
    assert same(graph, load_graph(tmp_path / "splits"))
    assert not same(graph, load_graph(facts, **shares | {"seed": 4}))


def test_only_a_file_is_split_and_nothing_is_written_over(facts, tmp_path):
    with pytest.raises(GraphError, match="world is not a file; give one file of facts to split"):
        split_graph("world", tmp_path / "splits")
    assert not (tmp_path / "splits").exists()
    before = facts.read_bytes()
    for write in (split_graph, convert_graph):
        with pytest.raises(GraphError, match=r"facts.tsv exists already; choose another name"):
            write(facts, facts)
    assert facts.read_bytes() == before


@pytest.mark.parametrize("extension", ["csv", "parquet", "nt", "ttl.gz"])
def test_a_file_is_written_by_its_sorted_names_in_the_format_of_the_new_one(
    facts, tmp_path, extension
):
    out = tmp_path / f"there.{extension}"
    graph = convert_graph(facts, out)
    assert rows(out) == sorted(iri_facts())
    assert [len(graph.split(split)) for split in SPLITS] == [120, 0, 0]


def test_a_folder_keeps_its_split_in_another_format(facts, tmp_path):
    split = split_graph(facts, tmp_path / "splits")
    assert same(split, convert_graph(tmp_path / "splits", tmp_path / "there", format="nt"))
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == [
        "test.nt",
        "train.nt",
        "valid.nt",
    ]
    assert same(split, load_graph(tmp_path / "there"))
    with pytest.raises(GraphError, match="--format is for folders"):
        convert_graph(facts, tmp_path / "one.csv", format="csv")


def test_labels_that_a_table_cannot_hold_are_counted(facts, tmp_path):
    name, relation, _ = iri_facts()[0]
    (tmp_path / "labels.tsv").write_text(f"{name}\tThing\n{relation}\tsome relation\n")
    notes = convert_graph(facts, tmp_path / "there.csv").notes
    assert notes == ("2 labels are not in a single table; .nt or .ttl keep them",)
    assert convert_graph(facts, tmp_path / "there.nt").notes == ()
    (tmp_path / "labels.tsv").unlink()
    entities = load_graph(tmp_path / "there.nt").entities
    assert entities.label(entities.id(name)) == "Thing"
