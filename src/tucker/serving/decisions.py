"""What people decided about predicted facts, kept in SQLite."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tucker.errors import ServingError

_FORMAT = 1
_FACT = "subject = :subject AND relation = :relation AND object = :object"
_TABLE = """
CREATE TABLE IF NOT EXISTS decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL,
    relation TEXT NOT NULL,
    object TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected', 'undone')),
    probability REAL,
    decided_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS decisions_by_fact ON decisions (subject, relation, object, id);
CREATE INDEX IF NOT EXISTS decisions_by_object ON decisions (object);
"""
_CURRENT = """
SELECT id, subject, relation, object, verdict, probability, decided_at FROM decisions AS d
WHERE verdict != 'undone' AND NOT EXISTS (
    SELECT 1 FROM decisions AS later WHERE later.id > d.id AND later.subject = d.subject
    AND later.relation = d.relation AND later.object = d.object
)
"""


class Decisions:
    """A log of decisions: the last one about a fact counts, and undoing is one too.

    What `add` has returned from is on the disk: the log is flushed before every commit ends, so
    that neither a killed server nor a lost power supply takes it away.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # autocommit, and one thread at a time: the caller's
            self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._database.row_factory = sqlite3.Row
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._check_format()
            self._database.executescript(_TABLE)
        except (sqlite3.Error, OSError) as error:
            raise ServingError(f"{path}: cannot keep decisions: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def add(
        self, subject: str, relation: str, object: str, verdict: str, probability: float | None
    ) -> dict[str, Any]:
        """Keep a decision; it is safe when this returns."""
        row = {
            "subject": subject,
            "relation": relation,
            "object": object,
            "verdict": verdict,
            "probability": probability,
            "decided_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        columns, places = ", ".join(row), ", ".join(f":{column}" for column in row)
        cursor = self._run(f"INSERT INTO decisions ({columns}) VALUES ({places})", row)
        return {"id": cursor.lastrowid, **row}

    def undo(self, subject: str, relation: str, object: str) -> dict[str, Any] | None:
        """Take back the decision about a fact; return it, or None where there is none."""
        fact = {"subject": subject, "relation": relation, "object": object}
        row = self._run(f"{_CURRENT} AND {_FACT}", fact).fetchone()
        if row is None:
            return None
        self.add(subject, relation, object, "undone", None)
        return dict(row)

    def current(
        self,
        *,
        entity: str | None = None,
        verdict: str | None = None,
        most: int = -1,
        before: int | None = None,
    ) -> list[dict[str, Any]]:
        """Return the decisions that count, the latest first, or those before an id."""
        query = _CURRENT
        if entity is not None:
            query += " AND (subject = :entity OR object = :entity)"
        if verdict is not None:
            query += " AND verdict = :verdict"
        if before is not None:
            query += " AND id < :before"
        values = {"entity": entity, "verdict": verdict, "most": most, "before": before}
        rows = self._run(f"{query} ORDER BY id DESC LIMIT :most", values)
        return [dict(row) for row in rows]

    def _run(self, statement: str, values: dict[str, Any]) -> sqlite3.Cursor:
        try:
            return self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise ServingError(f"{self.path}: {error}") from error

    def _check_format(self) -> None:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if version not in (0, _FORMAT):
            raise ServingError(
                f"{self.path} has decision format {version}; this version reads format {_FORMAT}"
            )
        self._database.execute(f"PRAGMA user_version = {_FORMAT}")
