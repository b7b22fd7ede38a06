"""The rows for retention, and which memory is in which archive file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Reason, problem
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.rows import UnreadableRowError

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveNote, PackedVersion
    from celestial_engine.core.keeping.retention import RetentionRow


class SqliteArchives:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def retention_rows(self, owner: Owner) -> list[RetentionRow]:
        from celestial_engine.core.keeping.retention import RetentionRow

        (condition, values), dialect = self._tx.of_owner(owner), self._tx.dialect
        size = " + ".join(dialect.text_bytes.format(column) for column in ("content", "metadata", "facets"))
        rows = self._tx.db.execute(
            f"SELECT id, facets, {dialect.greatest}(created_at, coalesce(idle_since, last_recalled_at)), "
            f"arbitrary_importance, {size} + coalesce({dialect.vector_bytes}, 0), protection, state "
            f"FROM {dialect.records} "
            f"WHERE {condition} AND state IN ('active', 'faded', 'inactive', 'archived') "
            "ORDER BY items.seq",
            values,
        )
        return [
            RetentionRow(item_id, _session_of(item_id, facets), touched, importance, size,
                    protection != Protection.NONE.value, state == State.ARCHIVED.value)
            for item_id, facets, touched, importance, size, protection, state in rows
        ]  # fmt: skip

    def notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        from celestial_engine.core.keeping.archive import ArchiveNote

        rows = self._tx.db.execute(
            "SELECT file, user_id, agent_id, session_id, archived_at, changed, "
            "(SELECT count(*) FROM archived WHERE archived.file = archives.file) "
            "FROM archives JOIN owners USING (owner) ORDER BY archived_at, file"
        )
        notes = [
            ArchiveNote(file, Owner(user, agent), session, at, count, bool(changed))
            for file, user, agent, session, at, changed, count in rows
        ]
        return [note for note in notes if owner in (None, note.owner)]

    def members(self, owner: Owner, file: str) -> list[str]:
        rows = self._tx.db.execute(
            "SELECT id FROM archived JOIN items USING (seq) WHERE file = ? AND owner = ? ORDER BY seq",
            (file, self._tx.number(owner)),
        )
        return [item_id for (item_id,) in rows]

    def file_of(self, owner: Owner, item_id: str) -> str | None:
        row = self._tx.db.execute(
            "SELECT file FROM archived JOIN items USING (seq) WHERE owner = ? AND id = ?",
            (self._tx.number(owner), item_id),
        ).fetchone()
        return None if row is None else str(row[0])


class SqliteArchiveWriter(SqliteArchives):
    """Reads and writes which memory is in which archive."""

    __slots__ = ()

    def begin(self, owner: Owner, file: str, session_id: str | None, now: float) -> None:
        self._tx.db.execute(
            "INSERT INTO archives (file, owner, session_id, archived_at) VALUES (?, ?, ?, ?)",
            (file, self._tx.writable(owner), session_id, now),
        )

    def add_members(self, owner: Owner, file: str, item_ids: Sequence[str]) -> None:
        number = self._tx.writable(owner)
        keys = [(seq, file) for seq in self._tx.ids_by_key(owner, item_ids)]
        self._tx.db.executemany(
            "INSERT INTO archived (seq, file) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET file = excluded.file",
            keys,
        )
        self._tx.db.execute("UPDATE archives SET changed = 0 WHERE file = ? AND owner = ?", (file, number))

    def remove(self, owner: Owner, file: str) -> None:
        self._tx.db.execute("DELETE FROM archives WHERE file = ? AND owner = ?", (file, self._tx.writable(owner)))

    def take_versions(self, owner: Owner, item_id: str) -> list[PackedVersion]:
        from celestial_engine.core.keeping.archive import PackedVersion

        about = (self._tx.writable(owner), item_id)
        rows = self._tx.db.execute(
            "SELECT number, salt, memory FROM versions WHERE owner = ? AND item_id = ? ORDER BY number", about
        ).fetchall()
        self._tx.db.execute("DELETE FROM versions WHERE owner = ? AND item_id = ?", about)
        return [PackedVersion(number, salt.hex(), memory) for number, salt, memory in rows]

    def put_versions(self, owner: Owner, item_id: str, versions: Sequence[PackedVersion]) -> None:
        number = self._tx.writable(owner)
        self._tx.db.executemany(
            "INSERT INTO versions (number, owner, item_id, salt, memory) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            [(one.number, number, item_id, bytes.fromhex(one.salt), one.memory) for one in versions],
        )


def _session_of(item_id: str, facets: str) -> str | None:
    if '"session_id"' not in facets:
        return None
    try:
        session_id = json.loads(facets).get("time", {}).get("session_id")
    except (ValueError, AttributeError) as error:
        raise UnreadableRowError(problem(None, Reason.ITEM_UNREADABLE, got=item_id, cause=str(error))) from error
    return None if session_id is None else str(session_id)
