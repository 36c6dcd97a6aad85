from __future__ import annotations

from tests.cli.running import refused, tucker
from tests.cli.shapes import check
from tucker.graph import load_graph
from tucker.mixture import TRAINED

MEMBER = {"model": str, "score": str, "relation": str, "space": str, "fully_expressive": bool}


def test_every_model_is_listed():
    result = tucker("models")
    assert (result.code, result.err) == (0, "")
    for name in TRAINED:
        assert f"│ {name} " in result.out
    found = tucker("models", "--json").json()
    assert [one["model"] for one in found] == list(TRAINED)
    for one in found:
        check(one, MEMBER)


def test_with_graphs_parameters_are_counted():
    found = tucker("models", "--graph", "world", "--graph", "WN18RR", "--json").json()
    graph = load_graph("world")
    for one in found:
        check(one, MEMBER | {"parameters": dict})
        assert one["parameters"].keys() == {"world", "WN18RR"}
    counts = {one["model"]: one["parameters"] for one in found}
    assert counts["distmult"]["world"] == 200 * (graph.n_e + 2 * graph.n_r)
    assert f"{counts['distmult']['WN18RR']:,}" in tucker("models", "--graph", "WN18RR").out


def test_a_graph_that_is_not_there():
    assert "nothing.tsv" in refused(tucker("models", "--graph", "nothing.tsv"))
