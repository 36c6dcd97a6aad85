"""What the server counts, as Prometheus reads it."""

from __future__ import annotations

from tucker.serving.counters import Counters


def test_requests_and_their_times():
    counters = Counters()
    for status, seconds in ((200, 0.002), (200, 0.3), (404, 20.0)):
        counters.add("GET", "/predict", status, seconds)
    lines = counters.text({}).splitlines()
    assert 'tucker_requests_total{method="GET",path="/predict",status="200"} 2' in lines
    assert 'tucker_requests_total{method="GET",path="/predict",status="404"} 1' in lines
    buckets = [line.split()[-1] for line in lines if "_bucket{" in line]
    assert buckets == ["0", "1", "1", "1", "1", "1", "1", "1", "2", "2", "2", "2", "3"]
    assert 'tucker_request_seconds_sum{path="/predict"} 20.302' in lines
    assert 'tucker_request_seconds_count{path="/predict"} 3' in lines


def test_gauges_stand_with_their_kind_and_help():
    text = Counters().text({"tucker_waiting": ("gauge", "Questions in line.", 3)})
    assert text.endswith(
        "# HELP tucker_waiting Questions in line.\n# TYPE tucker_waiting gauge\ntucker_waiting 3\n"
    )


def test_a_path_cannot_break_out_of_its_quotes():
    counters = Counters()
    counters.add("GET", '/a"b\\c\nd', 200, 0.1)
    assert 'path="/a\\"b\\\\c\\nd"' in counters.text({})
