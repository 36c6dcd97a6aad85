from __future__ import annotations

import pytest

from tests.cli.running import process, refused, tucker
from tests.cli.shapes import check
from tests.graph.forms import FORMS, iri_facts
from tucker.graph import SPLITS, load_graph, name_table

STATS = {
    "name": str,
    "triples": dict,
    "entities": int,
    "relations": int,
    "pairs": int,
    "unseen_entities": int,
    "labels": int,
    "notes": list,
    "by_relation": list,
    "implications": list,
}
ROW = {
    "relation": str,
    "train": int,
    "valid": int,
    "test": int,
    "subjects": int,
    "objects": int,
    "category": str,
}


def names(path, **options):
    graph = load_graph(path, **options)
    return {split: sorted(name_table(graph, graph.split(split)).rows()) for split in SPLITS}


def lines(path):
    return sorted(tuple(line.split("\t")) for line in path.read_text("utf-8").splitlines())


def test_stats_as_json(facts):
    result = process("graph", "stats", facts, "--json")
    stats = result.json()
    assert result.err == ""
    check(stats, STATS)
    check(stats["triples"], dict.fromkeys(SPLITS, int))
    assert stats["triples"] == {"train": 112, "valid": 14, "test": 14}
    assert (stats["name"], stats["entities"], stats["relations"]) == ("facts", 20, 3)
    assert stats["labels"] == 3
    for row in stats["by_relation"]:
        check(row, ROW)
    assert sum(row["train"] for row in stats["by_relation"]) == 112
    train = names(facts)["train"]
    assert stats["pairs"] == len({(s, r) for s, r, _ in train}) + len({(r, o) for _, r, o in train})


def test_stats_as_tables(facts):
    result = tucker("graph", "stats", facts)
    assert (result.code, result.err) == (0, "")
    assert "│ follows [x] │" in result.out
    assert "│ train triples   │   112 │" in result.out


def test_stats_say_which_relations_imply_others(tmp_path):
    """A sixth relation is like each of five others: 30 implications, of which 20 are shown."""
    facts = [(f"a{i}", f"[b]{r}", f"c{i}") for i in range(12) for r in range(6)]
    path = tmp_path / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts[1:]))
    result = tucker("graph", "stats", path)
    assert "relations that imply others, 20 of 30" in result.out
    assert "│ [b]1     │ [b]0    │ 0.917 │       1 │" in result.out
    assert tucker("graph", "stats", path, "--json").json()["implications"][0]["relation"] == "[b]1"
    path.write_text("a\tr\tb\n")
    assert "imply" not in tucker("graph", "stats", path).out


def test_an_implied_inverse_is_called_so(tmp_path):
    facts = [(f"a{i}", "has", f"b{i}") for i in range(12)]
    facts += [(o, "of", s) for s, _, o in facts]
    path = tmp_path / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts))
    assert "│ has      │ inverse of of  │" in tucker("graph", "stats", path).out


def test_a_split_into_a_folder(facts, tmp_path):
    words = ["graph", "split", facts, "--valid", "0.2", "--test", "0.1", "--seed", "5"]
    result = tucker(*words, "--out", "splits", "--json")
    counts = {"train": 98, "valid": 28, "test": 14}
    assert result.json() == {"out": "splits", "triples": counts, "notes": []}
    assert result.err == ""
    found = names(tmp_path / "splits")
    assert {split: len(found[split]) for split in SPLITS} == counts
    assert sorted(fact for split in SPLITS for fact in found[split]) == lines(facts)
    assert load_graph(tmp_path / "splits").entities.id("Person zero") == load_graph(
        facts
    ).entities.id("p0")
    assert tucker(*words, "--out", "again").err == "wrote again: 98 train, 28 valid, 14 test\n"
    assert names(tmp_path / "again") == found
    assert tucker(*words[:-1], "6", "--out", "other").code == 0
    assert names(tmp_path / "other") != found


@pytest.mark.parametrize("name", [name for name in FORMS if name != "facts.tsv"])
def test_a_split_hangs_on_the_facts_and_the_seed_alone(tmp_path, name):
    files = [FORMS[form](tmp_path, iri_facts(), form) for form in ("facts.tsv", name)]
    for path, out in zip(files, ("usual", "other"), strict=True):
        assert tucker("graph", "split", path, "--seed", "7", "--out", out).code == 0
    for split in SPLITS:
        usual, other = (tmp_path / out / f"{split}.tsv" for out in ("usual", "other"))
        assert other.read_bytes() == usual.read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--valid", "1.5"], "valid is 1.5; give a fraction from 0 to below 1"),
        (["--test", "-0.1"], "test is -0.1; give a fraction from 0 to below 1"),
        (
            ["--valid", "0.5", "--test", "0.5"],
            "valid and test together are 1; leave some for train",
        ),
    ],
)
def test_a_bad_share_is_refused(facts, tmp_path, words, message):
    assert refused(tucker("graph", "split", facts, "--out", "splits", *words)) == message
    assert not (tmp_path / "splits").exists()


def test_only_one_file_is_split(facts, tmp_path):
    tucker("graph", "split", facts, "--out", "splits")
    message = refused(tucker("graph", "split", "splits", "--out", "again"))
    assert message.startswith("splits is ")
    assert "file" in message
    assert not (tmp_path / "again").exists()


def test_a_graph_that_is_split_already_is_not_split(tmp_path):
    refused(tucker("graph", "split", "world", "--out", "again", "--valid", "0.3"))
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    "extension",
    ["tsv", "txt", "csv", "parquet", "nt", "ttl", "tsv.gz", "csv.gz", "nt.gz", "ttl.gz"],
)
def test_a_file_goes_through_each_format_and_back(facts, tmp_path, extension):
    result = tucker("graph", "convert", facts, "--out", f"there.{extension}")
    assert result.code == 0
    assert result.out == ""
    *notes, last = result.err.splitlines()
    assert last == f"wrote there.{extension}: 140 train, 0 valid, 0 test"
    keeps_labels = extension.startswith(("nt", "ttl"))
    lost = ["note: 3 labels are not in a single table; .nt or .ttl keep them"]
    assert notes == ([] if keeps_labels else lost)
    result = tucker("graph", "convert", f"there.{extension}", "--out", "back.tsv", "--json")
    assert result.json()["triples"] == {"train": 140, "valid": 0, "test": 0}
    assert lines(tmp_path / "back.tsv") == lines(facts)


@pytest.mark.parametrize("format", ["tsv", "csv", "parquet", "nt", "ttl", ".csv", "nt.gz"])
def test_a_folder_goes_through_each_format_and_back(facts, tmp_path, format):
    tucker("graph", "split", facts, "--out", "splits")
    assert tucker("graph", "convert", "splits", "--out", "there", "--format", format).code == 0
    assert (tmp_path / "there" / f"train.{format.removeprefix('.')}").is_file()
    assert tucker("graph", "convert", "there", "--out", "back").code == 0
    assert names(tmp_path / "back") == names(tmp_path / "splits")
    labels = load_graph(tmp_path / "back").relations.labels
    assert labels.to_list() == [None, "is acquainted with", None]


@pytest.mark.parametrize("words", [["convert"], ["split"]])
def test_nothing_is_overwritten(facts, tmp_path, words):
    (tmp_path / "there.tsv").write_text("precious")
    message = refused(tucker("graph", *words, facts, "--out", "there.tsv"))
    assert message == "there.tsv exists already; choose another name"
    assert (tmp_path / "there.tsv").read_text() == "precious"


def test_an_unknown_format_is_refused(facts, tmp_path):
    assert "there.xlsx: cannot be written; name it by its format, one of .tsv" in refused(
        tucker("graph", "convert", facts, "--out", "there.xlsx")
    )
    assert "cannot be written" in refused(
        tucker("graph", "convert", "world", "--out", "there", "--format", "xlsx")
    )
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_a_format_cannot_hold_is_refused(tmp_path):
    (tmp_path / "facts.csv").write_text('a,r,"b\nb"\n')
    message = refused(tucker("graph", "convert", "facts.csv", "--out", "there.tsv"))
    assert "has a tab or a line end; write CSV, Parquet or RDF" in message
    assert not (tmp_path / "there.tsv").exists()


@pytest.mark.parametrize("words", [["convert"], ["split"]])
def test_a_place_that_cannot_be_written_is_refused(facts, tmp_path, words):
    (tmp_path / "file").write_text("precious")
    assert "file/there.tsv" in refused(tucker("graph", *words, facts, "--out", "file/there.tsv"))
