from __future__ import annotations

from urllib.parse import unquote

import numpy as np
import polars as pl
import pytest

from tests.conftest import make_graph
from tests.prediction.conftest import make_run
from tucker.graph import Graph, Vocabulary
from tucker.prediction.embeddings import write_embeddings


@pytest.fixture
def run():
    drawn = make_graph(n_e=4, n_r=2, facts=40)
    names = pl.Series(["a b", "50%", "tab\there", "Åse"])
    entities = Vocabulary("entity", names, pl.Series(["A", None, None, "Å"]))
    return make_run(
        graph=Graph("odd", entities, drawn.relations, drawn.train, drawn.valid, drawn.test)
    )


NAMES = ["a b", "50%", "tab\there", "Åse"]
RELATIONS = ["r0", "r1", "r0⁻¹", "r1⁻¹"]


def test_parquet(run, tmp_path):
    assert write_embeddings(run, tmp_path / "x.parquet", "parquet") == [tmp_path / "x.parquet"]
    table = pl.read_parquet(tmp_path / "x.parquet")
    assert table.columns == ["kind", "name", "label", "vector"]
    assert table["name"].to_list() == NAMES + RELATIONS
    assert table["label"].to_list() == ["A", None, None, "Å", *[None] * 4]
    E = np.array(table.filter(kind="entity")["vector"].to_list())
    R = np.array(table.filter(kind="relation")["vector"].to_list())
    np.testing.assert_allclose(E, run.model.E.detach())
    np.testing.assert_allclose(R, run.model.R.detach())


def test_npz_needs_no_pickle(run, tmp_path):
    write_embeddings(run, tmp_path / "x.npz", "npz")
    with np.load(tmp_path / "x.npz", allow_pickle=False) as arrays:
        assert arrays["entity_names"].tolist() == NAMES
        assert arrays["relation_names"].tolist() == RELATIONS
        np.testing.assert_array_equal(arrays["entities"], run.model.E.detach())
        np.testing.assert_array_equal(arrays["relations"], run.model.R.detach())


def test_word2vec_has_single_spaces(run, tmp_path):
    files = write_embeddings(run, tmp_path / "x.txt", "word2vec")
    assert files == [tmp_path / "x.txt", tmp_path / "x.relations.txt"]
    for file, names, matrix in zip(
        files, (NAMES, RELATIONS), (run.model.E, run.model.R), strict=True
    ):
        first, *lines = file.read_text(encoding="utf-8").splitlines()
        assert first == f"{len(names)} {matrix.shape[1]}"
        words = [line.split(" ") for line in lines]
        assert [unquote(word[0]) for word in words] == names
        numbers = np.array([word[1:] for word in words], dtype=np.float32)
        np.testing.assert_array_equal(numbers, matrix.detach())
