from __future__ import annotations

from tests.cli.running import tucker


def test_classification(run):
    found = tucker("classify", run, "--json").json()
    assert found["split"] == "test"
    assert 0 <= found["accuracy"] <= 1
    assert found == tucker("classify", run, "--json", "--seed", "0").json()
    assert "ROC AUC" in tucker("classify", run).out
