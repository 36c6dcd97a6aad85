from __future__ import annotations

from tests.cli.running import refused, tucker
from tests.cli.shapes import check_prediction


def labelled(fact):
    return {part for part in ("subject", "relation", "object") if part in fact.get("labels", {})}


def test_discovery(run, facts):
    known = {tuple(line.split("\t")) for line in facts.read_text(encoding="utf-8").splitlines()}
    result = tucker("discover", run, "-k", "12", "--json")
    found = result.json()
    assert len(found) == 12
    for fact in found:
        check_prediction(fact, labelled=labelled(fact))
        assert (fact["subject"], fact["relation"], fact["object"]) not in known
    one = tucker("discover", run, "--relation", "likes", "--subject", "p5", "--json").json()
    assert {(fact["subject"], fact["relation"]) for fact in one} == {("p5", "likes")}
    least = found[5]["probability"]
    some = tucker("discover", run, "--min-probability", least, "--json").json()
    assert [fact["probability"] >= least for fact in some] == [True] * len(some)
    assert "the most probable first" in tucker("discover", run, "-k", "2").out
    assert "did you mean 'likes'" in refused(tucker("discover", run, "--relation", "like"))
