"""Archives of sessions in a table, so that every server reads them."""

from __future__ import annotations

from celestial_engine.core.keeping.archive import ArchiveContents, unpack
from celestial_engine.errors import Reason, problem
from celestial_engine.storage.archive import compressed, decompress_readable
from celestial_engine.storage.postgres.groups.jobs import Transactions


class ArchiveTable:
    """Files of archived sessions, as rows."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self.path = transactions.connections.path

    def write(self, name: str, lines: bytes) -> None:
        self.put(name, compressed(lines))

    def put(self, name: str, packed: bytes) -> None:
        with self._transactions.writing() as db:
            db.execute(
                "INSERT INTO archive_files (name, packed) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET packed = excluded.packed",
                (name, packed),
            )

    def read(self, name: str) -> ArchiveContents:
        packed = self.raw(name)
        if packed is None:
            return ArchiveContents(problems=(problem(None, Reason.FILE_MISSING),))
        return unpack(decompress_readable(packed))

    def raw(self, name: str) -> bytes | None:
        with self._transactions.reading() as db:
            row = db.execute("SELECT packed FROM archive_files WHERE name = ?", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def remove(self, name: str) -> None:
        with self._transactions.writing() as db:
            db.execute("DELETE FROM archive_files WHERE name = ?", (name,))

    def names(self) -> list[str]:
        with self._transactions.reading() as db:
            return [name for (name,) in db.execute("SELECT name FROM archive_files ORDER BY name")]

    def size(self, name: str) -> int:
        with self._transactions.reading() as db:
            row = db.execute("SELECT octet_length(packed) FROM archive_files WHERE name = ?", (name,)).fetchone()
        return 0 if row is None else int(row[0])
