from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tucker


@pytest.fixture(scope="module")
def run(folder) -> tucker.Run:
    return tucker.load(folder)


@pytest.mark.parametrize("format", ["parquet", "npz", "word2vec"])
def test_embeddings(run, format):
    files = run.export("vectors.txt", format)
    names = ["vectors.txt", "vectors.relations.txt"] if format == "word2vec" else ["vectors.txt"]
    assert files == [Path(name) for name in names]
    assert all(file.stat().st_size for file in files)
    with pytest.raises(tucker.TuckerError, match=r"vectors.txt: exists already"):
        run.export("vectors.txt", format)


def test_the_second_file_of_word2vec_is_not_written_over(run):
    Path("vectors.relations.txt").write_text("mine")
    with pytest.raises(tucker.TuckerError, match=r"vectors.relations.txt: exists already"):
        run.export("vectors.txt", "word2vec")
    assert not Path("vectors.txt").exists()


@pytest.mark.parametrize("format", ["tsv", "parquet", "nt"])
def test_facts_go_out_as_they_were_predicted(run, tmp_path, format):
    facts = run.predict(subject="p5", relation="knows", k=4)
    said = [fact.as_dict() for fact in facts]
    for name, given in (("objects", facts), ("said", said), ("once", iter(facts))):
        assert run.export(name, format, given) == [Path(name)]
    contents = {Path(name).read_bytes() for name in ("objects", "said", "once")}
    assert len(contents) == 1
    if format == "parquet":
        assert pl.read_parquet("said")["object"].to_list() == [fact.object for fact in facts]


def test_scored_facts_go_out_too(run):
    scored = run.score([("p1", "knows", "p2")])
    run.export("scored.tsv", "tsv", scored)
    assert Path("scored.tsv").read_text().splitlines()[-1].startswith("p1\tknows\tp2\t")


@pytest.mark.parametrize(
    ("format", "facts", "message"),
    [
        ("nt", None, "nt is not for embeddings: choose parquet or npz or word2vec"),
        ("npz", [], "npz is not for facts: choose tsv or parquet or nt"),
        ("nt", [{"subject": "p1"}], "fact 1 is incomplete"),
        ("nt", [{"subject": "p1", "relation": "knows", "object": "zz"}], "no entity 'zz'"),
    ],
)
def test_what_cannot_be_exported_is_refused(run, format, facts, message):
    with pytest.raises(tucker.TuckerError, match=message):
        run.export("out", format, facts)
    assert not Path("out").exists()


def test_the_annotation_of_probabilities(run):
    facts = run.predict(subject="p5", relation="knows", k=1)
    run.export("bare.nt", "nt", facts, annotation="none")
    run.export("said.nt", "nt", facts)
    assert len(Path("bare.nt").read_text().splitlines()) == 1
    assert "probability" in Path("said.nt").read_text()
