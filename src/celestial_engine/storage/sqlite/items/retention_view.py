"""What retention weighs, and where archived memories lie, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.rows import UnreadableRowError

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveNote, PackedVersion
    from celestial_engine.core.keeping.retention import RetentionRow


class ShelfReading(Transaction):
    """Asked by retention and by whoever looks for an archive."""

    def holdings(self, owner: Owner) -> list[RetentionRow]:
        from celestial_engine.core.keeping.retention import RetentionRow

        low, high = self._range(owner)
        rows = self._db.execute(
            "SELECT id, facets, max(created_at, last_recalled_at), arbitrary_importance, "
            "length(CAST(content AS BLOB)) + length(CAST(metadata AS BLOB)) + length(CAST(facets AS BLOB)) "
            "+ ifnull(length(embedding), 0), protection, state "
            "FROM items JOIN texts USING (seq) LEFT JOIN vectors USING (seq) "
            "WHERE items.seq BETWEEN ? AND ? AND state IN ('active', 'faded', 'inactive', 'archived') "
            "ORDER BY items.seq",
            (low, high),
        )
        return [
            RetentionRow(item_id, _session_of(item_id, facets), touched, importance, size,
                    protection != Protection.NONE.value, state == State.ARCHIVED.value)
            for item_id, facets, touched, importance, size, protection, state in rows
        ]  # fmt: skip

    def archive_notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        from celestial_engine.core.keeping.archive import ArchiveNote

        rows = self._db.execute(
            "SELECT file, user_id, agent_id, session_id, archived_at, changed, "
            "(SELECT count(*) FROM archived WHERE archived.file = archives.file) "
            "FROM archives JOIN owners USING (owner) ORDER BY archived_at, file"
        )
        notes = [
            ArchiveNote(file, Owner(user, agent), session, at, count, bool(changed))
            for file, user, agent, session, at, changed, count in rows
        ]
        return [note for note in notes if owner in (None, note.owner)]

    def shelved_in(self, file: str) -> list[str]:
        rows = self._db.execute("SELECT id FROM archived JOIN items USING (seq) WHERE file = ? ORDER BY seq", (file,))
        return [item_id for (item_id,) in rows]

    def archive_of(self, owner: Owner, item_id: str) -> str | None:
        row = self._db.execute(
            "SELECT file FROM archived JOIN items USING (seq) WHERE owner = ? AND id = ?",
            (self._number(owner), item_id),
        ).fetchone()
        return None if row is None else str(row[0])


class ShelfWriting(ShelfReading):
    """Archives begun, filled and given up."""

    def begin_archive(self, file: str, owner: Owner, session_id: str | None, now: float) -> None:
        self._db.execute(
            "INSERT INTO archives (file, owner, session_id, archived_at) VALUES (?, ?, ?, ?)",
            (file, self._number(owner), session_id, now),
        )

    def shelve(self, owner: Owner, item_ids: Sequence[str], file: str) -> None:
        keys = [(seq, file) for seq in self._keys(owner, item_ids)]
        self._db.executemany(
            "INSERT INTO archived (seq, file) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET file = excluded.file",
            keys,
        )
        self._db.execute("UPDATE archives SET changed = 0 WHERE file = ?", (file,))

    def drop_archive(self, file: str) -> None:
        self._db.execute("DELETE FROM archives WHERE file = ?", (file,))

    def take_versions(self, owner: Owner, item_id: str) -> list[PackedVersion]:
        from celestial_engine.core.keeping.archive import PackedVersion

        about = (self._number(owner), item_id)
        rows = self._db.execute(
            "SELECT number, salt, memory FROM versions WHERE owner = ? AND item_id = ? ORDER BY number", about
        ).fetchall()
        self._db.execute("DELETE FROM versions WHERE owner = ? AND item_id = ?", about)
        return [PackedVersion(number, salt.hex(), memory) for number, salt, memory in rows]

    def put_versions(self, owner: Owner, item_id: str, versions: Sequence[PackedVersion]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO versions (number, owner, item_id, salt, memory) VALUES (?, ?, ?, ?, ?)",
            [(one.number, self._number(owner), item_id, bytes.fromhex(one.salt), one.memory) for one in versions],
        )


def _session_of(item_id: str, facets: str) -> str | None:
    if '"session_id"' not in facets:
        return None
    try:
        found = json.loads(facets).get("time", {}).get("session_id")
    except (ValueError, AttributeError) as error:
        raise UnreadableRowError(f"memory {item_id!r} cannot be read ({error})") from error
    return None if found is None else str(found)
