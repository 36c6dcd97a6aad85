from __future__ import annotations

import pytest

from tucker.errors import DatasetError
from tucker.graph import fetch_dataset, find_dataset, list_datasets
from tucker.graph.datasets.find import dataset_name


def test_a_name_is_known_in_any_case():
    assert dataset_name("wn18rr") == "WN18RR"
    assert dataset_name("FB15k-237") == "FB15k-237"
    assert dataset_name("world") is None  # it is bundled, not a dataset to be found


def test_the_data_folder_of_the_user_comes_first(tiny, mirror, monkeypatch):
    monkeypatch.setenv("TUCKER_DATA", str(mirror.parent))
    monkeypatch.setenv("TUCKER_MIRROR", "http://127.0.0.1:1")
    assert find_dataset("tiny") == mirror
    (mirror / "test.txt").write_bytes(b"c\tr\tX\n")
    with pytest.raises(
        DatasetError, match=r"test.txt has another checksum .* or unset TUCKER_DATA"
    ):
        find_dataset("tiny")
    (mirror / "test.txt").unlink()
    with pytest.raises(DatasetError, match=r"test.txt is missing"):
        find_dataset("tiny")


def test_a_data_folder_without_the_dataset_is_passed_over(tiny, mirror, tmp_path, monkeypatch):
    monkeypatch.setenv("TUCKER_DATA", str(tmp_path / "elsewhere"))
    assert find_dataset("tiny").parent.name == "datasets"


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(DatasetError, match="no dataset 'wn18rrr'; did you mean 'WN18RR'"):
        find_dataset("wn18rrr")
    with pytest.raises(DatasetError, match="the datasets are FB15k, FB15k-237, WN18"):
        fetch_dataset("xyzzy")


def test_the_list_says_where_each_is(tiny, mirror, monkeypatch):
    def row():
        return next(row for row in list_datasets() if row["name"] == "Tiny")

    assert row() == {
        "name": "Tiny",
        "triples": {"train": 2, "valid": 1, "test": 1},
        "entities": 3,
        "relations": 1,
        "licence": "free",
        "home": "https://x.org/",
        "where": "not fetched",
        "path": None,
    }
    folder = fetch_dataset("Tiny")
    assert (row()["where"], row()["path"]) == ("cache", str(folder))
    monkeypatch.setenv("TUCKER_DATA", str(mirror.parent))
    assert (row()["where"], row()["path"]) == ("data", str(mirror))
