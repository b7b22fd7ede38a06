"""A checksum over each memory's text, because SQLite does not notice when a disk changes a byte inside a value."""

from __future__ import annotations

from zlib import crc32

from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.sqlite.dialect import Database

_COMPLETE = "checksums"
_READ = "SELECT seq, id, created_at, content, metadata, facets, checksum FROM items JOIN texts USING (seq)"


def checksum(item_id: str, created_at: float, content: str, metadata: str, facets: str) -> int:
    """Returns the checksum of what a memory says; recalls change none of it."""
    text = "\0".join((item_id, float(created_at).hex(), content, metadata, facets))
    return crc32(text.encode("utf-8", "surrogatepass"))


class ChecksumColumn:
    """The checksums in one transaction. Memories that older versions wrote get theirs at night."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def complete(self) -> bool:
        return self._db.execute("SELECT 1 FROM meta WHERE key = ?", (_COMPLETE,)).fetchone() is not None

    def fill_after(self, seq: int, limit: int) -> int | None:
        """Adds the next missing checksums after this key; None when there are no more."""
        rows = self._db.execute(
            f"{_READ} WHERE seq > ? AND checksum IS NULL ORDER BY seq LIMIT ?", (seq, limit)
        ).fetchall()
        self._db.executemany(
            "UPDATE texts SET checksum = ? WHERE seq = ?", [(checksum(*row[1:6]), row[0]) for row in rows]
        )
        if rows:
            return int(rows[-1][0])
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, '1')", (_COMPLETE,))
        return None

    def problems(self) -> list[Problem]:
        """Returns the memories that are not what was written."""
        return [
            problem(None, Reason.TEXT_DAMAGED, got=item_id)
            for _, item_id, *values, written in self._db.execute(f"{_READ} WHERE checksum IS NOT NULL")
            if not _fits(written, item_id, values)
        ]


def _fits(written: int, item_id: str, values: list[object]) -> bool:
    created_at, *texts = values
    if not isinstance(created_at, float) or not all(isinstance(text, str) for text in (item_id, *texts)):
        return False
    return written == checksum(item_id, created_at, *map(str, texts))
