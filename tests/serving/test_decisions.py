"""Decisions are kept in a file: the last one about a fact counts, and none is lost."""

from __future__ import annotations

import sqlite3

import pytest

from tucker.errors import ServingError
from tucker.serving.decisions import Decisions

A, B = ("p0", "knows", "p9"), ("p9", "likes", "p1")

FIRST_VERSION = """
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL,
    relation TEXT NOT NULL,
    object TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected', 'undone')),
    probability REAL,
    decided_at TEXT NOT NULL
);
PRAGMA user_version = 1;
"""


def test_decisions_are_flushed_before_they_are_acknowledged(tmp_path):
    kept = Decisions(tmp_path / "new" / "decisions.sqlite")
    pragmas = [
        kept._database.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    ]
    assert pragmas == ["wal", 2]
    kept.close()


def test_a_file_that_is_no_store_is_refused(tmp_path):
    path = tmp_path / "decisions.sqlite"
    path.write_bytes(b"something else" * 100)
    with pytest.raises(ServingError, match="cannot keep decisions"):
        Decisions(path)


def test_a_file_of_the_first_version_is_opened_with_all_that_it_holds(tmp_path):
    path = tmp_path / "decisions.sqlite"
    row = (7, "p0", "knows", "p9", "accepted", 0.25, "2026-01-02T03:04:05.678+00:00")
    with sqlite3.connect(path) as database:
        database.executescript(FIRST_VERSION)
        database.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    database.close()
    kept = Decisions(path)
    assert [tuple(one.values()) for one in kept.current()] == [row]
    assert kept.add("p1", "knows", "p2", "rejected", None)["id"] == 8
    kept.close()


def test_a_later_format_is_refused(tmp_path):
    path = tmp_path / "decisions.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 9")
    with pytest.raises(ServingError, match="decision format 9"):
        Decisions(path)


@pytest.fixture
def kept(tmp_path):
    decisions = Decisions(tmp_path / "decisions.sqlite")
    yield decisions
    decisions.close()


def test_the_last_decision_about_a_fact_counts(kept):
    first = kept.add(*A, "accepted", 0.5)
    second = kept.add(*A, "rejected", 0.4)
    kept.add(*B, "accepted", None)
    assert [one["id"] for one in kept.current()] == [second["id"] + 1, second["id"]]
    assert [one["verdict"] for one in kept.current(entity="p0")] == ["rejected"]
    assert len(kept.current(entity="p9")) == 2
    assert [one["subject"] for one in kept.current(verdict="accepted")] == ["p9"]
    assert [one["id"] for one in kept.current(most=1, before=second["id"] + 1)] == [second["id"]]
    assert first["id"] < second["id"]


def test_undoing_is_a_decision_too(kept):
    added = kept.add(*A, "accepted", 0.5)
    assert kept.undo(*A) == added
    assert kept.undo(*A) is None
    assert kept.current() == []
    assert kept.add(*A, "rejected", None)["id"] == added["id"] + 2


def test_what_was_kept_is_there_again(tmp_path):
    kept = Decisions(tmp_path / "decisions.sqlite")
    added = kept.add(*A, "accepted", 0.5)
    kept.close()
    again = Decisions(tmp_path / "decisions.sqlite")
    assert again.current() == [added]
    again.close()


def test_a_verdict_that_is_none_is_refused(kept):
    with pytest.raises(ServingError, match="CHECK constraint"):
        kept.add(*A, "perhaps", None)
