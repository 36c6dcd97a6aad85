from __future__ import annotations

from tests.cli.running import refused, tucker


def test_new_facts_and_names(run, tmp_path):
    facts = tmp_path / "facts.tsv"
    facts.write_text("stranger\tknows\tp1\np2\tlikes\tstranger\n")
    result = tucker("fold-in", run, facts, "--out", "more", "--json")
    assert result.json() == {"run": "more", "facts": 2, "entities": 1}
    assert result.err == ""
    question = ["--subject", "stranger", "--relation", "likes", "-k", "3", "--json"]
    assert len(tucker("predict", "more", *question).json()) == 3
    said = tucker("fold-in", run, facts, "--out", "again")
    assert (said.code, said.out) == (0, "")
    assert said.err.splitlines()[0] == "wrote again: 2 facts and 1 entities more"
    assert "exists already" in refused(tucker("fold-in", run, facts, "--out", "more"))


def test_a_relation_must_be_known(run, tmp_path):
    (tmp_path / "facts.tsv").write_text("stranger\tknwos\tp1\n")
    message = refused(tucker("fold-in", run, "facts.tsv", "--out", "more"))
    assert "no relation 'knwos'; did you mean 'knows'?" in message
    assert not (tmp_path / "more").exists()


def test_folding_in_leaves_the_calibration_out_and_says_so(own, tmp_path):
    facts = tmp_path / "facts.tsv"
    facts.write_text("new\tlikes\tp3\n")
    assert "calibration" not in tucker("fold-in", own, facts, "--out", tmp_path / "one").err
    assert tucker("calibrate", own).code == 0
    said = tucker("fold-in", own, facts, "--out", tmp_path / "two").err
    assert "the new run is not calibrated" in said
    assert f"tucker calibrate {tmp_path / 'two'}" in said
    for words in (["discover", tmp_path / "two"], ["score", tmp_path / "two", facts]):
        assert tucker(*words, "--json").err == (
            "probabilities are the model's own and not calibrated; calibrate them with: "
            f"tucker calibrate {tmp_path / 'two'}\n"
        )
