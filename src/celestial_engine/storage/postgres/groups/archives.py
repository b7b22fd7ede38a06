"""Which memory is in which archive file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.archives import SqliteArchiveWriter

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveNote


class PostgresArchives(SqliteArchiveWriter):
    """Reads and writes which memory is in which archive; a session that reads offers only the reads."""

    __slots__ = ()

    def notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        from celestial_engine.core.keeping.archive import ArchiveNote

        only, values = "", tuple[int, ...]()
        if owner is None:
            self._tx.see_all_owners()
        else:
            only, values = "WHERE archives.owner = ?", (self._tx.number(owner),)
        rows = self._tx.db.execute(
            "SELECT file, user_id, agent_id, session_id, archived_at, changed, (SELECT count(*) FROM archived "
            "WHERE archived.owner = archives.owner AND archived.file = archives.file) "
            f"FROM archives JOIN owners USING (owner) {only} ORDER BY archived_at, file",
            values,
        )
        return [
            ArchiveNote(file, Owner(user, agent), session, at, count, bool(changed))
            for file, user, agent, session, at, changed, count in rows
        ]

    def members(self, owner: Owner, file: str) -> list[str]:
        rows = self._tx.db.execute(
            "SELECT id FROM archived JOIN items USING (owner, seq) WHERE owner = ? AND file = ? ORDER BY seq",
            (self._tx.number(owner), file),
        )
        return [item_id for (item_id,) in rows]

    def file_of(self, owner: Owner, item_id: str) -> str | None:
        row = self._tx.db.execute(
            "SELECT file FROM archived JOIN items USING (owner, seq) WHERE owner = ? AND id = ?",
            (self._tx.number(owner), item_id),
        ).fetchone()
        return None if row is None else str(row[0])

    def add_members(self, owner: Owner, file: str, item_ids: Sequence[str]) -> None:
        number = self._tx.writable(owner)
        keys = list(self._tx.ids_by_key(owner, item_ids))
        # A file that lends a memory to this one has changed.
        self._tx.db.execute(
            "UPDATE archives SET changed = 1 WHERE owner = ? AND file IN "
            "(SELECT file FROM archived WHERE owner = ? AND seq = ANY(?))",
            (number, number, keys),
        )
        self._tx.db.executemany(
            "INSERT INTO archived (owner, seq, file) VALUES (?, ?, ?) "
            "ON CONFLICT (owner, seq) DO UPDATE SET file = excluded.file",
            [(number, key, file) for key in keys],
        )
        self._tx.db.execute("UPDATE archives SET changed = 0 WHERE owner = ? AND file = ?", (number, file))
