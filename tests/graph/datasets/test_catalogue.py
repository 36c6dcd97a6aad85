from __future__ import annotations

import os

import pytest

from tucker.errors import TuckerError
from tucker.graph import SPLITS, load_graph
from tucker.graph.datasets.catalogue import DATASETS


def test_the_catalogue_is_complete():
    assert {"FB15k", "FB15k-237", "WN18", "WN18RR", "NELL-995"} < set(DATASETS)
    assert {"umls", "kinship", "nations", "countries_S1"} < set(DATASETS)
    for name, dataset in DATASETS.items():
        assert dataset.name == name
        assert dataset.address.startswith("https://")
        assert [file.name for file in dataset.files] == [f"{split}.txt" for split in SPLITS]
        assert all(len(file.sha256) == 64 for file in dataset.files)


@pytest.mark.data
@pytest.mark.skipif("TUCKER_DATA" not in os.environ, reason="TUCKER_DATA is not set")
@pytest.mark.parametrize("name", DATASETS)
def test_each_dataset_has_its_recorded_counts(name):
    dataset = DATASETS[name]
    try:
        graph = load_graph(name)
    except TuckerError as error:
        pytest.fail(str(error))
    repeated = 1 if name == "countries_S1" else 0  # one line of train stands twice
    counts = [len(graph.split(split)) for split in SPLITS]
    assert counts == [dataset.triples[0] - repeated, *dataset.triples[1:]]
    assert (graph.n_e, graph.n_r) == (dataset.entities, dataset.relations)
