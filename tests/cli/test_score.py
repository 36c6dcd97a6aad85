from __future__ import annotations

from tests.cli.running import refused, tucker
from tests.cli.shapes import PREDICTION, check


def test_a_file_of_facts(run, tmp_path):
    file = tmp_path / "some.tsv"
    file.write_text("p5\tlikes\tp6\nPerson zero\tknows\tp1\n", encoding="utf-8")
    found = tucker("score", run, file, "--json").json()
    for fact in found:
        shape = PREDICTION | {"known": bool} | ({"labels": dict} if "labels" in fact else {})
        check(fact, shape)
    assert [fact["known"] for fact in found] == [False, True]
    assert "does not have it" in tucker("score", run, file).out
    file.write_text("p5\tlikes\tp6\np5\tlikes\tp66\n", encoding="utf-8")
    message = refused(tucker("score", run, file))
    assert message.startswith(f"{file}:2: object: the graph has no entity 'p66'; did you mean")
