from __future__ import annotations

import pytest

from benchmarks.serve import parsed

SAID = """Running 2s test @ http://127.0.0.1:8000
  1 threads and 2 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    59.91ms   10.00ms 119.06ms   90.00%
  Latency Distribution
     50%  900.00us
     75%    5.00ms
     90%   67.91ms
     99%    1.19s {END}
  68 requests in 2.01s, 80.00KB read
Requests/sec:     33.73
""".replace("{END}", "")  # wrk pads seconds with a space


def test_what_wrk_says_is_read():
    figures = parsed(SAID)
    assert figures == {
        "requests_per_second": 33.73,
        "p50_ms": pytest.approx(0.9),
        "p90_ms": 67.91,
        "p99_ms": 1190.0,
        "refused": 0,
        "errors": 0,
    }


def test_faults_are_counted():
    more = "  Socket errors: connect 1, read 2, write 0, timeout 3\n  Non-2xx or 3xx responses: 7\n"
    figures = parsed(SAID + more)
    assert (figures["errors"], figures["refused"]) == (6, 7)


def test_anything_else_is_refused():
    with pytest.raises(ValueError, match="something else"):
        parsed("unable to connect")
