"""What the server counts, in the text format that Prometheus reads.

A few lines by hand instead of its client library, whose registry is global to the process: two
apps in one process, as in the tests, would count into each other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_Labels = dict[str, str]


class Counters:
    """Requests by path and status, and how long they took; only the event loop writes."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: Counter[tuple[str, float]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._counts: Counter[str] = Counter()

    def add(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count one request."""
        self._requests[method, path, status] += 1
        self._counts[path] += 1
        self._seconds[path] += seconds
        for bound in _BOUNDS:
            if seconds <= bound:
                self._buckets[path, bound] += 1

    def text(self, gauges: dict[str, tuple[str, str, float]]) -> str:
        """Return all counts, and others given as name → (kind, help, value)."""
        lines = _family(
            "tucker_requests_total",
            "counter",
            "Requests by path and status.",
            (
                ({"method": method, "path": path, "status": str(status)}, count)
                for (method, path, status), count in sorted(self._requests.items())
            ),
        )
        lines += ["# HELP tucker_request_seconds Time to answer, by path."]
        lines += ["# TYPE tucker_request_seconds histogram"]
        for path, count in sorted(self._counts.items()):
            for bound in _BOUNDS:
                labels = {"path": path, "le": str(bound)}
                lines.append(
                    _line("tucker_request_seconds_bucket", labels, self._buckets[path, bound])
                )
            lines.append(
                _line("tucker_request_seconds_bucket", {"path": path, "le": "+Inf"}, count)
            )
            lines.append(_line("tucker_request_seconds_sum", {"path": path}, self._seconds[path]))
            lines.append(_line("tucker_request_seconds_count", {"path": path}, count))
        for name, (kind, about, value) in gauges.items():
            lines += _family(name, kind, about, [({}, value)])
        return "\n".join(lines) + "\n"


def _family(
    name: str, kind: str, about: str, samples: Iterable[tuple[_Labels, float]]
) -> list[str]:
    head = [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
    return head + [_line(name, labels, value) for labels, value in samples]


def _line(name: str, labels: _Labels, value: float) -> str:
    inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
    return f"{name}{{{inside}}} {value}" if inside else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
