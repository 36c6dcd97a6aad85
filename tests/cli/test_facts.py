"""The probability of a fact by itself is the same by every command."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.cli.running import tucker
from tucker.runs import RunFolder, load_run
from tucker.runs.chance_curves import Isotonic


def test_facts_by_themselves_have_one_probability(own, tmp_path):
    assert "too few validation facts" in tucker("calibrate", own).err
    result = tucker("discover", own, "-k", "9", "--json")
    assert "by themselves are not calibrated, and rather too low" in result.err
    file, found = tmp_path / "facts.tsv", result.json()
    file.write_text("".join(f"{one['subject']}\tlikes\t{one['object']}\n" for one in found))
    scored = tucker("score", own, file, "--json")
    assert scored.err == result.err
    for one, other in zip(found, scored.json(), strict=True):
        assert one["probability"] == pytest.approx(other["probability"], abs=1e-5)
        assert one["rank"] == other["rank"]


def test_a_fitted_probability_of_facts_says_what_it_supposes(own, tmp_path):
    assert tucker("calibrate", own).code == 0
    run, fitted = load_run(own), Isotonic((0.0, 1.0), (0.0, 0.9))
    calibration = replace(run.calibration, facts=fitted).as_dict(run.graph)
    RunFolder(own).write_calibration(calibration)
    (tmp_path / "facts.tsv").write_text("p1\tlikes\tp3\n")
    for words in (["discover", own], ["score", own, tmp_path / "facts.tsv"]):
        said = tucker(*words).err
        assert "how often such a fact is right" in said
        assert "lacks about as many facts as were held out for validation" in said
