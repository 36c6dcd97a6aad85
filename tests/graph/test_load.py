from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.graph.forms import FORMS, iri_facts
from tucker.errors import FileError, GraphError
from tucker.graph import SPLITS, load_graph, name_table
from tucker.graph.split import split_triples

TRAIN = "a\tlikes\tb\nb\tlikes\tc\nc\tknows\ta\n"
VALID = "a\tlikes\tc\n"
TEST = "b\tknows\ta\n"


FACTS = iri_facts()


def same(graph, other):
    """Say whether two graphs have the same ids and splits, in the same order."""
    return (
        graph.entities.names.equals(other.entities.names)
        and graph.relations.names.equals(other.relations.names)
        and all(np.array_equal(graph.split(split), other.split(split)) for split in SPLITS)
    )


def names(graph, split):
    return name_table(graph, graph.split(split)).rows()


def test_a_folder_of_splits(folder):
    path = folder(train_tsv=TRAIN, valid_tsv=VALID, test_tsv=TEST)
    graph = load_graph(path)
    assert graph.name == path.name
    assert graph.notes == ()
    assert graph.entities.names.to_list() == ["a", "b", "c"]
    assert graph.relations.names.to_list() == ["knows", "likes"]
    assert graph.train.tolist() == [[0, 1, 1], [1, 1, 2], [2, 0, 0]]
    assert graph.train.dtype == np.int64
    assert names(graph, "valid") == [("a", "likes", "c")]
    assert names(graph, "test") == [("b", "knows", "a")]


def test_splits_may_be_of_any_format_and_name(folder):
    path = folder(train_txt=TRAIN, test_nt="<b> <knows> <a> .".replace("<", "<urn:tucker:"))
    (path / "DEV.csv.gz").write_bytes(gzip.compress(b"o,s,p\nc,a,likes\n"))
    (path / "definitions.txt").write_text("not a split")
    graph = load_graph(str(path))
    assert names(graph, "valid") == [("a", "likes", "c")]
    assert names(graph, "test") == [("b", "knows", "a")]


def test_a_folder_of_splits_in_another_order_of_lines_is_the_same_graph(folder):
    first = load_graph(folder(train_tsv=TRAIN, valid_tsv=VALID, test_tsv=TEST))
    turned = "\n".join(reversed(TRAIN.splitlines()))
    second = load_graph(folder(train_tsv=turned, valid_tsv=VALID, test_tsv=TEST))
    assert same(first, second)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The graph of 120 facts from a plain table."""
    return load_graph(FORMS["facts.tsv"](tmp_path_factory.mktemp("usual"), FACTS, "facts.tsv"))


@pytest.mark.parametrize("name", FORMS)
def test_the_same_facts_in_any_form_are_the_same_graph(tmp_path, usual, name):
    graph = load_graph(FORMS[name](tmp_path, FACTS, name))
    assert same(graph, usual)
    assert graph.train.tolist() == sorted(graph.train.tolist())
    assert [len(graph.split(split)) for split in SPLITS] == [96, 12, 12]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(FACTS), st.lists(st.sampled_from(FACTS)), st.sampled_from(["tsv", "nt"]))
def test_lines_in_any_order_and_given_twice_are_the_same_graph(
    tmp_path, usual, shuffled, again, kind
):
    path = FORMS[f"facts.{kind}"](tmp_path, [*shuffled, *again], f"facts.{kind}")
    graph = load_graph(path)
    assert same(graph, usual)
    assert graph.split_version == 2
    assert len(graph.notes) == bool(again)


def test_the_split_of_before_hangs_on_the_order_of_lines(tmp_path):
    path = FORMS["facts.tsv"](tmp_path, FACTS, "facts.tsv")
    before = load_graph(path, split_version=1)
    assert before.split_version == 1
    ids = {name: id for id, name in enumerate(before.entities.names)}
    relations = {name: id for id, name in enumerate(before.relations.names)}
    lines = np.array([(ids[s], relations[r], ids[o]) for s, r, o in FACTS])
    for split, triples in zip(SPLITS, split_triples(lines), strict=True):
        assert np.array_equal(before.split(split), triples)
    turned = load_graph(FORMS["facts.tsv"](tmp_path, FACTS[::-1], "facts.tsv"), split_version=1)
    assert not same(before, turned)


@pytest.mark.parametrize("version", [0, 3, "2", [1]])
def test_a_split_of_no_known_version_is_refused(tmp_path, version):
    with pytest.raises(GraphError, match=r"split_version is .*; give 2, or 1 for a split as"):
        load_graph(FORMS["facts.tsv"](tmp_path, FACTS, "facts.tsv"), split_version=version)


def test_nodes_without_a_name_are_named_by_their_place_in_the_file(tmp_path):
    """Nothing in the facts tells such nodes apart, so here the order of the file does count."""
    path = tmp_path / "facts.ttl"
    path.write_text("@prefix : <http://x/> .\n:a :r [ :q :b ] , _:c .\n_:c :q :a .\n")
    names = load_graph(path).entities.names.to_list()
    assert names == ["_:c", "_:facts.ttl-1", "http://x/a", "http://x/b"]


def test_a_missing_split_is_named_with_what_was_found(folder):
    path = folder(train_tsv=TRAIN)
    with pytest.raises(GraphError, match=r"found train.tsv but no valid and test split; add them"):
        load_graph(path)
    folder(dev_tsv=VALID)
    with pytest.raises(GraphError, match=r"found dev.tsv and train.tsv but no test split; add it"):
        load_graph(path)


def test_a_folder_without_splits_is_refused(tmp_path):
    with pytest.raises(GraphError, match="found nothing but no train"):
        load_graph(tmp_path)
    (tmp_path / "notes.md").write_text("")
    with pytest.raises(GraphError, match=r"found notes.md but no train and valid and test"):
        load_graph(tmp_path)


def test_two_files_for_one_split_are_refused(folder):
    path = folder(train_tsv=TRAIN, valid_tsv=VALID, test_tsv=TEST, dev_txt=VALID)
    with pytest.raises(GraphError, match=r"dev.txt and valid.tsv are both the valid split"):
        load_graph(path)


def test_repeated_and_leaked_and_unseen_are_noted(folder):
    path = folder(
        train_tsv=TRAIN + "a\tlikes\tb\n",
        valid_tsv="a\tlikes\tb\na\tlikes\td\na\tlikes\td\na\tlikes\td\n",
        test_tsv="e\tlikes\td\n",
    )
    graph = load_graph(path)
    assert graph.notes == (
        "Merged 1 repeated triple of train.",
        "Merged 2 repeated triples of valid.",
        "Warning: 1 triple of valid is also in train and kept in both.",
        "Kept 2 entities of valid or test that train never mentions.",
    )
    assert len(graph.train) == 3
    assert names(graph, "valid") == [("a", "likes", "b"), ("a", "likes", "d")]


def test_a_relation_that_train_lacks_is_refused_with_its_line(folder):
    path = folder(train_tsv=TRAIN, valid_tsv=VALID, test_tsv="\nb\tknows\ta\n\nb\thates\ta\n")
    with pytest.raises(FileError, match="the relation 'hates' does not occur in train") as caught:
        load_graph(path)
    assert caught.value.line == 4
    assert caught.value.path == path / "test.tsv"


def test_labels_beside_the_data(folder):
    labels = "a\tAnna\nknows\tis acquainted with\nnobody\tNobody\n"
    path = folder(train_tsv=TRAIN, valid_tsv=VALID, test_tsv=TEST, labels_tsv=labels)
    graph = load_graph(path)
    assert graph.entities.labels.to_list() == ["Anna", None, None]
    assert graph.relations.label(0) == "is acquainted with"
    folder(labels_tsv="nobody\tNobody\n")
    assert load_graph(path).entities.labels is None


def test_labels_of_rdf(tmp_path):
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    path = tmp_path / "facts.nt"
    path.write_text(f'<x:a> <x:r> <x:b> .\n<x:a> {label} "Anna" .\n<x:b> {label} "Bert" .\n')
    (tmp_path / "labels.tsv").write_text("x:b\tBerta\n")
    graph = load_graph(path)
    assert graph.entities.labels.to_list() == ["Anna", "Berta"]


def test_a_single_file_is_split_with_the_seed(tmp_path):
    path = tmp_path / "facts.v1.csv"
    rows = [(f"e{s}", "r", f"e{o}") for s in range(12) for o in range(12)]
    pl.DataFrame(rows, ["s", "r", "o"], orient="row").write_csv(path)
    graph = load_graph(path, seed=3, valid=0.25, test=0.125)
    assert graph.name == "facts.v1"
    assert graph.notes == ()
    assert [len(graph.split(split)) for split in SPLITS] == [90, 36, 18]
    assert graph.seen.all()
    again = load_graph(path, seed=3, valid=0.25, test=0.125)
    assert np.array_equal(graph.test, again.test)
    assert not np.array_equal(graph.test, load_graph(path, seed=4, valid=0.25, test=0.125).test)


def test_a_single_file_too_sparse_to_split_is_noted(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text("".join(f"a{i}\tr\tb{i}\n" for i in range(20)))
    graph = load_graph(path)
    assert len(graph.train) == 20
    assert graph.notes == (
        "Held out 0 triples where 4 were asked for: each of the others is the first to mention "
        "an entity or a relation.",
    )


def test_repetitions_of_a_single_file_are_noted(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text("a\tr\tb\na\tr\tb\n")
    assert load_graph(path, valid=0, test=0).notes == ("Merged 1 repeated triple of facts.tsv.",)


def test_the_bundled_graph():
    graph = load_graph("World")
    assert graph.name == "world"
    assert len(graph.train) > 1000
    assert graph.seen.all()


def test_a_path_wins_over_a_name(folder, monkeypatch):
    path = folder()
    (path / "world").mkdir()
    for split, text in zip(SPLITS, (TRAIN, VALID, TEST), strict=True):
        (path / "world" / f"{split}.tsv").write_text(text)
    monkeypatch.chdir(path)
    assert len(load_graph("world").train) == 3


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("wn18r", "did you mean 'WN18RR' or 'WN18'"),
        ("wolrd", "did you mean 'world'"),
        ("facts.tvs", "did you mean 'facts.tsv'"),
        ("xyzzy", "give a path, or one of world, FB15k, "),
        ("", "give a path, or one of world, "),
    ],
)
def test_an_unknown_source_is_refused_with_the_nearest(tmp_path, monkeypatch, source, hint):
    (tmp_path / "facts.tsv").write_text(TRAIN)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GraphError, match="no file, folder or named dataset") as caught:
        load_graph(source)
    assert hint in str(caught.value)


def test_a_mistyped_path_is_refused_with_the_nearest(tmp_path):
    (tmp_path / "facts.tsv").write_text(TRAIN)
    with pytest.raises(GraphError, match=r"did you mean '.*facts.tsv'"):
        load_graph(tmp_path / "fact.tsv")
