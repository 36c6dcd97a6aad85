from __future__ import annotations

from tests.cli.running import refused, tucker
from tests.cli.shapes import check

ROW = {
    "name": str,
    "triples": dict,
    "entities": int,
    "relations": int,
    "licence": str,
    "home": str,
    "where": str,
}
PAPER = {"FB15k", "FB15k-237", "WN18", "WN18RR"}


def test_the_list_as_json(tmp_path, monkeypatch):
    (tmp_path / "data" / "WN18RR").mkdir(parents=True)
    monkeypatch.setenv("TUCKER_DATA", str(tmp_path / "data"))
    result = tucker("datasets", "list", "--json")
    rows = {row["name"]: row for row in result.json()}
    assert result.err == ""
    assert rows.keys() >= PAPER
    for name, row in rows.items():
        here = name == "WN18RR"
        check(row, ROW | {"path": str if here else type(None)})
        assert row["where"] == ("data" if here else "not fetched")
        assert list(row["triples"]) == ["train", "valid", "test"]
    assert rows["WN18RR"]["path"] == str(tmp_path / "data" / "WN18RR")
    assert rows["WN18RR"]["triples"] == {"train": 86835, "valid": 3034, "test": 3134}


def test_the_list_as_a_table():
    result = tucker("datasets", "list")
    assert (result.code, result.err) == (0, "")
    assert "│ FB15k-237" in result.out
    assert "272,115" in result.out


def test_an_unknown_dataset_is_refused_with_the_nearest(tmp_path):
    message = refused(tucker("datasets", "fetch", "wn18r"))
    assert message == "there is no dataset 'wn18r'; did you mean 'WN18RR' or 'WN18'?"
    assert "the datasets are FB15k, " in refused(tucker("datasets", "fetch", "xyzzy"))
    assert list(tmp_path.iterdir()) == []


def test_a_mirror_that_does_not_answer_is_told_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("TUCKER_MIRROR", "http://127.0.0.1:9")  # discard: nobody listens
    message = refused(tucker("datasets", "fetch", "nations"))
    assert message.startswith("http://127.0.0.1:9/nations/train.txt cannot be fetched (")
    assert "$TUCKER_DATA/nations" in message
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
