from __future__ import annotations

from tests.cli.running import refused, tucker


def test_neighbours(run):
    found = tucker("neighbours", run, "Person zero", "-k", "3", "--json").json()
    assert [one["rank"] for one in found] == [1, 2, 3]
    assert "p0" not in [one["name"] for one in found]
    assert "nearest to p0" in tucker("neighbours", run, "p0").out
    assert "index was removed" in refused(tucker("neighbours", run, "p0", "--index"))
    assert "no entity 'zz'" in refused(tucker("neighbours", run, "zz"))
