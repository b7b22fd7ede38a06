"""One transaction: the connection, the indexes, owner numbers, and who may write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import OwnerMismatchError
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search.codes import CodeCache
from celestial_engine.storage.sqlite.search.facets import FacetTables
from celestial_engine.storage.sqlite.search.graph import GraphTables
from celestial_engine.storage.sqlite.search.statement_keys import StatementKeyTable
from celestial_engine.storage.sqlite.search.vectors import VectorTable
from celestial_engine.storage.sqlite.search.words import WordIndex

SQL_VARIABLES = 500


class Transaction:
    """What the groups of a session share. Owner numbers are cached."""

    __slots__ = ("_numbers", "_writes_for", "db", "facets", "graph", "statement_keys", "vectors", "words")

    def __init__(
        self,
        connection: sqlite3.Connection,
        words: WordIndex,
        codes: CodeCache | None = None,
        writes_for: Owner | None = None,
    ) -> None:
        """`writes_for` is the only owner that this transaction may write for; None: all."""
        self.db = connection
        self.words = words
        self.facets = FacetTables(connection)
        self.graph = GraphTables(connection)
        self.statement_keys = StatementKeyTable(connection)
        self.vectors = VectorTable(connection, codes)
        self._writes_for = writes_for
        self._numbers: dict[Owner, int] = {}

    # -- owners -------------------------------------------------------------------------------------

    def number(self, owner: Owner) -> int:
        """The owner's number; 0, which is never assigned, for one who never stored anything."""
        number = self._numbers.get(owner)
        if number is None:
            row = self.db.execute(
                "SELECT owner FROM owners WHERE user_id = ? AND agent_id = ?", (owner.user_id, owner.agent_id)
            ).fetchone()
            if row is None:
                return 0
            number = self._numbers[owner] = int(row[0])
        return number

    def owner(self, number: int) -> Owner:
        row = self.db.execute("SELECT user_id, agent_id FROM owners WHERE owner = ?", (number,)).fetchone()
        return Owner(*row)

    def writable(self, owner: Owner) -> int:
        """Returns the owner's number for writing; raises if this transaction belongs to another owner."""
        if self._writes_for is not None and owner != self._writes_for:
            raise OwnerMismatchError(self._writes_for, owner)
        return self.number(owner)

    def check_whole_store(self) -> None:
        """Raises if this transaction belongs to one owner."""
        if self._writes_for is not None:
            raise OwnerMismatchError(self._writes_for, None)

    def enrolled(self, owner: Owner) -> int:
        """Returns the owner's number for writing, and creates it for an owner's first memory."""
        number = self.writable(owner)
        if not number:
            cursor = self.db.execute(
                "INSERT INTO owners (user_id, agent_id) VALUES (?, ?)", (owner.user_id, owner.agent_id)
            )
            number = self._numbers[owner] = int(cursor.lastrowid or 0)
        return number

    # -- keys ---------------------------------------------------------------------------------------

    def key_range(self, owner: Owner) -> tuple[int, int]:
        number = self.number(owner)
        return number << OWNER_SHIFT, ((number + 1) << OWNER_SHIFT) - 1

    def ids_by_key(self, owner: Owner, item_ids: Sequence[str]) -> dict[int, str]:
        """Returns the ids of these memories by key; missing ones are left out."""
        number = self.number(owner)
        found: dict[int, str] = {}
        for start in range(0, len(item_ids), SQL_VARIABLES):
            part = item_ids[start : start + SQL_VARIABLES]
            found.update(
                self.db.execute(
                    f"SELECT seq, id FROM items WHERE owner = ? AND id IN ({', '.join('?' * len(part))})",
                    (number, *part),
                ).fetchall()
            )
        return found

    def ids_of(self, keys: Iterable[int]) -> dict[int, str]:
        keys, names = list(keys), dict[int, str]()
        for start in range(0, len(keys), SQL_VARIABLES):
            part = number_list(keys[start : start + SQL_VARIABLES])
            names.update(self.db.execute(f"SELECT seq, id FROM items WHERE seq IN ({part})").fetchall())
        return names

    # -- settings of the whole store ----------------------------------------------------------------

    def setting(self, name: str) -> str | None:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_setting(self, name: str, value: str) -> None:
        """Sets a value for all owners; refused in a transaction of one."""
        self.check_whole_store()
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


def number_list(values: Sequence[int]) -> str:
    return ", ".join(str(int(value)) for value in values)
