"""One transaction: the connection, the indexes, owner numbers, and who may write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import OwnerMismatchError
from celestial_engine.storage.sqlite.dialect import SQLITE, Database, Dialect, in_list
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

    __slots__ = (
        "_noted_keys",
        "_numbers",
        "_writes_for",
        "db",
        "facets",
        "graph",
        "statement_keys",
        "vectors",
        "words",
    )
    dialect: Dialect = SQLITE

    def __init__(
        self,
        connection: Database,
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
        # Keys that a search found, by owner and id; a writer notes none: they may be purged.
        self._noted_keys: dict[tuple[int, str], int] | None = None if codes is None else {}

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

    def see_all_owners(self) -> None:
        """Announces a query over all owners, to a database that restricts queries to one."""

    # -- statements ---------------------------------------------------------------------------------

    def insert(self, statement: str, values: Sequence[Any]) -> int | None:
        """Inserts a row whose `number` the database assigns, and returns it; None if nothing was inserted."""
        cursor = self.db.execute(statement, values)
        return int(cursor.lastrowid or 0) if cursor.rowcount else None

    def send(self, statement: str, values: Sequence[Any]) -> None:
        """Writes something whose result nobody needs; a database on a server may send it later."""
        self.db.execute(statement, values)

    def raw(self, statement: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Reads rows in which invalid UTF-8 shows as wrong text and does not keep the others from being read."""
        db = cast(sqlite3.Connection, self.db)
        usual = db.text_factory
        db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        try:
            return db.execute(statement, values).fetchall()
        finally:
            db.text_factory = usual

    # -- keys ---------------------------------------------------------------------------------------

    def of_owner(self, owner: Owner) -> tuple[str, tuple[int, ...]]:
        """Returns the condition that a row of `items` is the owner's, and its values."""
        return "items.seq BETWEEN ? AND ?", self.key_range(owner)

    def with_keys(self, number: int, keys: Sequence[int]) -> tuple[str, tuple[Any, ...]]:
        """Returns the condition that a row of `items` has one of these keys of the owner, and its values."""
        marks, values = in_list(keys)
        return f"items.seq IN ({marks})", tuple(values)

    def key_range(self, owner: Owner) -> tuple[int, int]:
        number = self.number(owner)
        return number << OWNER_SHIFT, ((number + 1) << OWNER_SHIFT) - 1

    def ids_by_key(self, owner: Owner, item_ids: Sequence[str]) -> dict[int, str]:
        """Returns the ids of these memories by key; missing ones are left out."""
        number, noted = self.number(owner), self._noted_keys or {}
        ids = {noted[number, item_id]: item_id for item_id in item_ids if (number, item_id) in noted}
        missing = [item_id for item_id in item_ids if (number, item_id) not in noted]
        for start in range(0, len(missing), SQL_VARIABLES):
            marks, part = in_list(missing[start : start + SQL_VARIABLES])
            ids.update(
                self.db.execute(
                    f"SELECT seq, id FROM items WHERE owner = ? AND id IN ({marks})", (number, *part)
                ).fetchall()
            )
        return ids

    def ids_of(self, keys: Iterable[int]) -> dict[int, str]:
        keys, names = list(keys), dict[int, str]()
        for start in range(0, len(keys), SQL_VARIABLES):
            marks, part = in_list(keys[start : start + SQL_VARIABLES])
            names.update(self.db.execute(f"SELECT seq, id FROM items WHERE seq IN ({marks})", part).fetchall())
        self.note_ids(names)
        return names

    def note_ids(self, names: Mapping[int, str]) -> None:
        """Notes the ids of keys, for `ids_by_key` in the same transaction."""
        if self._noted_keys is not None:
            self._noted_keys.update(((key >> OWNER_SHIFT, item_id), key) for key, item_id in names.items())

    # -- archived memories --------------------------------------------------------------------------

    def remove_archived(self, number: int) -> None:
        """Deletes the rows that say which of the owner's memories are in which archive."""
        low = number << OWNER_SHIFT
        self.db.execute("DELETE FROM archived WHERE seq BETWEEN ? AND ?", (low, low + (1 << OWNER_SHIFT) - 1))

    def add_archived(self, number: int, rows: Sequence[tuple[int, str]]) -> None:
        """Adds such rows: a memory's key and the file."""
        self.db.executemany("INSERT INTO archived (seq, file) VALUES (?, ?)", rows)

    # -- settings of the whole store ----------------------------------------------------------------

    def setting(self, name: str) -> str | None:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_setting(self, name: str, value: str) -> None:
        """Sets a value for all owners; refused in a transaction of one."""
        self.check_whole_store()
        self.db.execute(
            "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (name, value),
        )


def number_list(values: Sequence[int]) -> str:
    return ", ".join(str(int(value)) for value in values)


def update_zone_index(transaction: Transaction, owner: int, zones: Mapping[int, int]) -> None:
    """Updates the index with the new zone of each key. Call it before the rows change."""
    keys = list(zones)
    for start in range(0, len(keys), SQL_VARIABLES):
        condition, values = transaction.with_keys(owner, keys[start : start + SQL_VARIABLES])
        # The plus sign keeps SQLite from scanning all rows of the owner.
        rows = transaction.db.execute(
            f"SELECT seq, zone FROM items WHERE {condition} AND +owner = ?", (*values, owner)
        )
        transaction.facets.moved((seq, zone, zones[seq]) for seq, zone in rows.fetchall() if zone != zones[seq])
