"""Facts and seed decide the weights; neither the order of lines nor the format does."""

from __future__ import annotations

import pytest

import tucker
from tests.graph.forms import FORMS, iri_facts

FILES = ("model.safetensors", "entities.parquet", "relations.parquet", "known.parquet")


def trained(source, out, **settings):
    """Train for two epochs; return the bytes of the run's files."""
    graph = tucker.load_graph(source)
    quick = {"d_e": 8, "epochs": 2, "batch_size": 16, "validate_every": 1}
    tucker.train(graph, out=out, progress=False, **quick, **settings)
    return {name: (out / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("facts")
    path = FORMS["facts.tsv"](folder, iri_facts(), "facts.tsv")
    return trained(path, folder / "run")


@pytest.mark.parametrize("name", [name for name in FORMS if name != "facts.tsv"])
def test_the_form_of_the_file_changes_no_byte_of_the_run(tmp_path, expected, name):
    path = FORMS[name](tmp_path, iri_facts(), name)
    assert trained(path, tmp_path / "run") == expected


def test_other_facts_or_another_seed_give_other_weights(tmp_path, expected):
    path = FORMS["facts.tsv"](tmp_path, iri_facts(), "facts.tsv")
    other = trained(path, tmp_path / "seed", seed=1)
    assert other["known.parquet"] == expected["known.parquet"]
    assert other["model.safetensors"] != expected["model.safetensors"]
    path = FORMS["facts.tsv"](tmp_path, iri_facts()[1:], "facts.tsv")
    other = trained(path, tmp_path / "facts")
    assert other["entities.parquet"] == expected["entities.parquet"]
    assert other["model.safetensors"] != expected["model.safetensors"]


@pytest.mark.parametrize("model", ["rgcn", "transe"])
def test_the_lines_of_a_folder_of_splits_may_stand_in_any_order(tmp_path, model):
    """R-GCN adds up over all training facts: the order of these would be seen."""
    facts = iri_facts()
    parts = {"train": facts[:90], "valid": facts[90:105], "test": facts[105:]}
    runs = []
    for form, kind in (("facts.tsv", "tsv"), ("shuffled.tsv", "tsv"), ("facts.nt", "nt")):
        folder = tmp_path / form / "graph"
        folder.mkdir(parents=True)
        for split, some in parts.items():
            FORMS[form](folder, some, f"{split}.{kind}")
        runs.append(trained(folder, folder.parent / "run", model=model))
    assert runs[0] == runs[1] == runs[2]
